import path from 'node:path';
import { ArtifactFiles } from '../artifacts/artifact-file-store.ts';
import { ArtifactRemainsStore } from '../artifacts/artifact-remains-store.ts';
import { ArtifactStore } from '../artifacts/artifact-store.ts';
import { PlaybackArtifacts } from '../artifacts/playback-artifacts.ts';
import { AttachmentBatches } from '../content/attachments/attachment-batches.ts';
import { AttachmentStore } from '../content/attachments/attachment-store.ts';
import { Attachments } from '../content/attachments/attachments.ts';
import { FileReplacements } from '../content/attachments/file-replacements.ts';
import { SiteFiles } from '../content/attachments/site-file-store.ts';
import { UnclaimedFiles } from '../content/attachments/unclaimed-files.ts';
import { UploadSpace } from '../content/attachments/upload-space.ts';
import { MetaKeys } from '../content/meta-keys.ts';
import { Notices } from '../content/notices.ts';
import { PostTermStore } from '../content/post-terms-store.ts';
import { PostWriter } from '../content/post-writer.ts';
import { PostStore } from '../content/posts-store.ts';
import { FileLinks } from '../files/file-links.ts';
import { WorkFolders } from '../files/work-folders.ts';
import { Jobs } from '../jobs/jobs.ts';
import { ActiveFormats } from '../media/active-formats.ts';
import { MediaProbe } from '../media/media-probe.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { RecordWatch } from '../state/record-watch.ts';
import { TextTrackStore } from '../tracks/text-track-store.ts';
import { TextTracks } from '../tracks/text-tracks.ts';
import { Commands, findCommand } from './commands.ts';
import type { HostParts } from './host-services.ts';

/** Offers what modules share about attachments and their files. */
export function offerMedia({
  config,
  services,
  db,
  storage,
  keys,
  installed,
  settings,
  now,
  log,
}: HostParts): void {
  const hostSettings = new HostSettings(installed, settings);
  const store = new AttachmentStore();
  const posts = new PostStore();
  const links = new FileLinks(keys);
  const probe = new MediaProbe(findCommand('ffprobe', process.env));
  const writer = new PostWriter(posts, services.host(MetaKeys));
  const notices = services.host(Notices);
  const batchParts = { store, posts, postTerms: new PostTermStore(), writer, notices, now };
  const artifacts = new PlaybackArtifacts({
    ...{ db, storage, now, log },
    store: new ArtifactStore(),
    remains: new ArtifactRemainsStore(),
  });
  services.offer(Commands, new Commands(process.env));
  services.offer(WorkFolders, new WorkFolders(path.join(config.dataDir, 'work')));
  services.offer(RecordWatch, new RecordWatch());
  services.offer(PlaybackArtifacts, artifacts);
  services.offer(ArtifactFiles, new ArtifactFiles(db, storage, now));
  services.offer(TextTrackStore, new TextTrackStore());
  services.offer(TextTracks, new TextTracks(db, storage, new TextTrackStore()));
  services.offer(ActiveFormats, new ActiveFormats());
  services.offer(HostSettings, hostSettings);
  services.offer(AttachmentBatches, new AttachmentBatches(batchParts));
  services.offer(FileLinks, links);
  services.offer(MediaProbe, probe);
  services.offer(SiteFiles, new SiteFiles(db));
  const space = new UploadSpace(hostSettings, store);
  const unclaimed = new UnclaimedFiles({ db, storage, store, log });
  const parts = { db, storage, probe, settings: hostSettings, space, store, posts, writer, notices };
  services.offer(UnclaimedFiles, unclaimed);
  services.offer(Attachments, new Attachments({ ...parts, artifacts, links, now, log }));
  services.offer(
    FileReplacements,
    new FileReplacements({ ...parts, artifacts, unclaimed, jobs: () => services.host(Jobs) }),
  );
}
