import { Memberships } from '../auth/membership-store.ts';
import { AttachmentStore } from '../content/attachments/attachment-store.ts';
import { Attachments } from '../content/attachments/attachments.ts';
import { UnclaimedFiles } from '../content/attachments/unclaimed-files.ts';
import { UploadSpace } from '../content/attachments/upload-space.ts';
import { MetaKeys } from '../content/meta-keys.ts';
import { PostWriter } from '../content/post-writer.ts';
import { PostStore } from '../content/posts-store.ts';
import { SiteAddresses } from '../content/sites/site-addresses.ts';
import { AttachmentCopies } from '../copy/attachment-copies.ts';
import { FileReferences } from '../copy/file-references.ts';
import { SiteCopies } from '../copy/site-copies.ts';
import { Jobs } from '../jobs/jobs.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { State } from '../state/state.ts';
import type { HostParts } from './host-services.ts';
import { ModuleHooks } from './module-hooks.ts';

/** Offers what modules share about copies of sites and of attachments. */
export function offerCopies({ services, db, storage, addresses, installed, settings, log }: HostParts): void {
  const metaKeys = services.host(MetaKeys);
  const writer = new PostWriter(new PostStore(), metaKeys);
  services.offer(
    SiteCopies,
    new SiteCopies({
      ...{ db, storage, addresses, settings, metaKeys, writer, log },
      hooks: services.host(ModuleHooks),
      memberships: services.host(Memberships),
      places: services.host(SiteAddresses),
      jobs: () => services.host(Jobs),
      state: () => services.host(State),
    }),
  );
  services.offer(
    AttachmentCopies,
    new AttachmentCopies({
      ...{ db, storage },
      unclaimed: services.host(UnclaimedFiles),
      space: new UploadSpace(new HostSettings(installed, settings), new AttachmentStore()),
      attachments: () => services.host(Attachments),
    }),
  );
  const references = { db, writer, modules: () => services.host(State).modules };
  services.offer(FileReferences, new FileReferences(references));
}
