import path from 'node:path';
import { MetaKeys } from '../content/meta-keys.ts';
import { Networks } from '../content/networks/networks.ts';
import { PostWriter } from '../content/post-writer.ts';
import { Posts } from '../content/posts.ts';
import { PostStore } from '../content/posts-store.ts';
import { FirstPost } from '../content/sites/first-post.ts';
import { RemovedSites } from '../content/sites/removed-sites.ts';
import { SiteAddresses } from '../content/sites/site-addresses.ts';
import { SitePurge } from '../content/sites/site-purge.ts';
import { ReservedSlugs } from '../content/sites/site-slug.ts';
import { Sites } from '../content/sites/sites.ts';
import { MovedSites } from '../copy/moved-site.ts';
import { Storage } from '../files/storage.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Letterheads } from '../mail/letterhead.ts';
import { Mail } from '../mail/mail.ts';
import { State } from '../state/state.ts';
import type { HostParts } from './host-services.ts';
import { ModuleHooks } from './module-hooks.ts';

/** Offers what modules share about sites and networks, and mail. */
export function offerTenants({ services, db, addresses, settings, config, log }: HostParts): void {
  const state = () => services.host(State);
  const modules = () => state().modules;
  const jobs = () => services.host(Jobs);
  const places = new SiteAddresses(db, addresses, new ReservedSlugs(addresses.apiRoot, modules));
  const hooks = services.host(ModuleHooks);
  const firstPost = new FirstPost({ posts: services.host(Posts), settings, state });
  const sites = new Sites({ db, addresses, places, hooks, firstPost, jobs });
  services.offer(SiteAddresses, places);
  services.offer(Sites, sites);
  services.offer(RemovedSites, new RemovedSites({ db, places, hooks, jobs }));
  const writer = new PostWriter(new PostStore(), services.host(MetaKeys));
  services.offer(MovedSites, new MovedSites({ db, writer, modules }));
  services.offer(SitePurge, new SitePurge(db, services.host(Storage)));
  services.offer(Networks, new Networks({ db, addresses, sites, modules }));
  services.offer(Letterheads, new Letterheads(db, addresses));
  services.offer(
    Mail,
    new Mail({ smtpUrl: config.smtpUrl, outbox: path.join(config.dataDir, 'outbox'), log }),
  );
}
