import { type Artifact, Attachments, PlaybackArtifacts, type TextTrack, TextTracks } from '@lyceum/core';
import type { Work } from '../jobs/work.ts';
import type { SiteSources } from './site-sources.ts';
import type { FoundPlayer } from './write-page.ts';

/** What a course plays of a video: the best that plays everywhere. */
const ofVideo = ['mp4_1080', 'mp4_720', 'mp4_480'];
/** And of a sound. */
const ofSound = ['m4a_aac', 'mp3', 'ogg_opus'];

/** Cues that stand in a page: what is longer is no subtitle. */
const mostCues = 20_000;

/**
 * What a video or sound of a page plays in the course: the best of what was made of its attachment, its poster, and
 * its text tracks with all cues. Null where the file has no attachment that can be played.
 */
export async function findPlayer(work: Work, sources: SiteSources, url: string): Promise<FoundPlayer | null> {
  const { job, build, addresses } = work;
  const address = addresses.read(url, url);
  const source = address.kind === 'file' ? await sources.find(address.path) : null;
  if (source === null) return null;
  const attachment = await job.get(Attachments).find(build.blog_id, source.attachment_id);
  if (!attachment || attachment.post.status === 'trash') return null;
  const isVideo = attachment.mime_type.startsWith('video/');
  if (!isVideo && !attachment.mime_type.startsWith('audio/')) return null;
  const artifacts = await job.get(PlaybackArtifacts).list(build.blog_id, source.attachment_id, {});
  const best = bestOf(artifacts, isVideo ? ofVideo : ofSound);
  const poster = artifacts.find(({ format_key }) => format_key === 'poster');
  return {
    url: best ? addresses.fileUrl(best.path) : url,
    poster: poster ? addresses.fileUrl(poster.path) : '',
    tracks: await tracksOf(work, source.attachment_id),
  };
}

function bestOf(artifacts: readonly Artifact[], wanted: readonly string[]): Artifact | null {
  const made = artifacts.filter(({ folder, tree }) => folder === 'sources' && !tree);
  for (const key of wanted) {
    const found = made.find(({ format_key }) => format_key === key);
    if (found) return found;
  }
  return null;
}

async function tracksOf({ job, build }: Work, attachmentId: number): Promise<FoundPlayer['tracks']> {
  const tracks = job.get(TextTracks);
  const found: FoundPlayer['tracks'][number][] = [];
  for (const track of await tracks.list(build.blog_id, attachmentId)) {
    const list = await tracks.cues(build.blog_id, track);
    if (list && list.cues.length <= mostCues) found.push({ ...named(track), cues: list.cues.map(plain) });
  }
  return found;

  function plain({
    start,
    end,
    settings,
    text,
  }: {
    start: number;
    end: number;
    settings: string;
    text: string;
  }) {
    return { start, end, settings, text };
  }
}

const named = ({ kind, srclang, label, is_default }: TextTrack) => ({
  ...{ kind, language: srclang, label, isDefault: is_default },
});
