import type { Knex } from 'knex';
import type { Actor } from '../../api/actor.ts';
import { fail } from '../../api/errors.ts';
import type { ModuleHooks } from '../../boot/module-hooks.ts';
import type { Database } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/sql-errors.ts';
import type { Addresses } from '../../http/addresses.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { FirstPost } from './first-post.ts';
import { insertWholeSite, type NewSite, type NewSiteContext, readContext } from './new-site-store.ts';
import type { SiteAddresses } from './site-addresses.ts';
import { type Labels, lockLabels } from './site-label-store.ts';
import { listSites, type SiteFilter, type SiteOrder } from './site-list-store.ts';
import { type ShownSite, type SiteRecord, showSite } from './site-record.ts';
import {
  countMembers,
  findNetworkPlace,
  findSite,
  lockSite,
  type NetworkPlace,
  readSite,
  replaceCategories,
  type SiteColumns,
  setRootSite,
  updateSite,
} from './site-store.ts';
import { enqueueWelcome } from './welcome-mail.ts';

export interface SitesParts {
  readonly db: Database;
  readonly addresses: Addresses;
  readonly places: SiteAddresses;
  readonly hooks: ModuleHooks;
  readonly firstPost: FirstPost;
  /** Asked for at each use: made after the services. */
  readonly jobs: () => Jobs;
}

/** What a new site is to be. Ids are checked, the slug is read. */
export interface SiteWish {
  readonly network_id: number;
  /** As somebody typed it. */
  readonly slug: string;
  /** Slugs that the network keeps free, besides those that the host does. */
  readonly reserved: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly public: number;
  readonly status_id: number | null;
  readonly category_ids: readonly number[];
  /** Becomes its administrator. */
  readonly user_id: number;
  readonly is_template: boolean;
}

/** What may change of a site; only what is given does. */
export interface SiteChange extends Omit<SiteColumns, 'domain' | 'path'> {
  readonly category_ids?: readonly number[] | undefined;
}

/** Which site is to be changed, and by which rules. */
export interface ChangedSite {
  readonly networkId: number;
  /** null for what can be no id. */
  readonly blogId: number | null;
  /** Throws when this site may not be changed so. */
  readonly check: (site: SiteRecord) => void;
  /** Slugs that the network keeps free. */
  readonly reserved: readonly string[];
}

/** The sites of networks: one place for every module that makes, changes or shows them. */
export class Sites {
  readonly #parts: SitesParts;

  constructor(parts: SitesParts) {
    this.#parts = parts;
  }

  /** @throws `site_not_found`, `site_not_in_network` */
  async get(networkId: number, blogId: number | null): Promise<SiteRecord> {
    return ofNetwork(networkId, blogId === null ? null : await findSite(this.#parts.db, blogId));
  }

  /** Where the sites of the network lie. */
  networkPlace(networkId: number): Promise<NetworkPlace> {
    return findNetworkPlace(this.#parts.db.knex, networkId);
  }

  /** One page, and the number of all that match. Two statements. */
  list(filter: SiteFilter, order: SiteOrder): Promise<{ sites: SiteRecord[]; total: number }> {
    return listSites(this.#parts.db.knex, filter, order);
  }

  /** Sites as clients see them; `stats` adds `user_count` and costs one statement. */
  async show(sites: readonly SiteRecord[], stats: boolean): Promise<ShownSite[]> {
    const { db, addresses } = this.#parts;
    const members =
      stats && sites.length > 0
        ? await countMembers(
            db,
            sites.map((site) => site.blog_id),
          )
        : null;
    return sites.map((site) =>
      showSite(site, addresses, stats ? (members?.get(site.blog_id) ?? 0) : undefined),
    );
  }

  /**
   * Writes the site with its administrator, options, first post and what modules add to it. The mail that greets him
   * goes out when the transaction has ended.
   * @throws `user_not_found`, `term_not_found`, `site_slug_invalid`, `site_exists`
   */
  async create(trx: Knex.Transaction, actor: Actor, wish: SiteWish): Promise<SiteRecord> {
    const context = await readContext(this.#parts.db, trx, wish.network_id, wish.user_id);
    if (!context) return fail('user_not_found', { data: { params: ['user_id'] } });
    const { network_id, title, description, status_id, is_template } = wish;
    const labels = await lockLabels(trx, network_id, wish);
    const place = this.#parts.places.place(context, wish.slug, wish.reserved);
    const row = { network_id, ...place, title, description, public: wish.public, status_id, is_template };
    return this.#begin(trx, actor, context, row, labels);
  }

  /**
   * Writes the main site of a network that the same transaction makes, at the network's own address.
   * @throws `user_not_found`, `site_exists`
   */
  async createMain(
    trx: Knex.Transaction,
    actor: Actor,
    wish: Pick<SiteWish, 'network_id' | 'title' | 'user_id'>,
  ): Promise<SiteRecord> {
    const { network_id, title } = wish;
    const context = await readContext(this.#parts.db, trx, network_id, wish.user_id);
    if (!context) return fail('user_not_found', { data: { params: ['user_id'] } });
    const row = { network_id, domain: context.domain, path: context.path, slug: '', title };
    return this.#begin(trx, actor, context, row, { status: null, categories: [] });
  }

  async #begin(
    trx: Knex.Transaction,
    actor: Actor,
    context: NewSiteContext,
    row: NewSite,
    { status, categories }: Labels,
  ): Promise<SiteRecord> {
    const { db, hooks, firstPost, jobs } = this.#parts;
    const inserted = await insertWholeSite(db, trx, row, {
      administrator: { id: context.user_id, email: context.email },
      rootBlogId: context.root_blog_id,
      categoryIds: categories.map(({ id }) => id),
    }).catch(orTaken);
    const ref = { blog_id: inserted.blog_id, network_id: row.network_id };
    const isMain = context.root_blog_id === null;
    if (isMain) await setRootSite(trx, ref.network_id, ref.blog_id);
    // Modules first: the post is told to their listeners.
    await hooks.site(trx, 'onSiteCreated', ref);
    const site: SiteRecord = {
      ...{ description: '', public: 1, status_id: null, is_template: false },
      ...{ archived: 0, deleted: 0, spam: 0, mature: 0 },
      ...row,
      ...inserted,
      status,
      categories,
      is_main_site: isMain,
    };
    await enqueueWelcome(jobs(), trx, ref, context);
    const html = context.options.first_post ?? '';
    if (html === '') return site;
    await firstPost.write(trx, actor, ref, { author_id: context.user_id, html });
    return (await readSite(db, trx, ref.blog_id)) ?? site;
  }

  /**
   * Writes what differs; `last_updated` moves only if something does.
   * @returns the site before and afterwards; the same object when nothing differs
   * @throws `site_not_found`, `site_not_in_network`, `term_not_found`, `site_slug_invalid`, `site_exists`
   */
  async change(
    trx: Knex.Transaction,
    { networkId, blogId, check, reserved }: ChangedSite,
    { slug, category_ids, ...given }: SiteChange,
  ): Promise<{ readonly before: SiteRecord; readonly after: SiteRecord }> {
    const { db } = this.#parts;
    const seen = ofNetwork(networkId, blogId === null ? null : await readSite(db, trx, blogId));
    check(seen);
    // Terms before the site: the order of locks of whoever deletes a term.
    const wanted = { status_id: given.status_id ?? null, category_ids: category_ids ?? [] };
    const categories = (await lockLabels(trx, networkId, wanted)).categories.map(({ id }) => id);
    const before = ofNetwork(networkId, await lockSite(db, trx, seen.blog_id));
    const moves = slug !== undefined && slug !== before.slug;
    const place = moves ? await this.#placeOf(trx, networkId, slug, reserved) : {};
    const columns = differing(before, { ...given, ...place });
    const regrouped = category_ids !== undefined && !sameIds(categories, before.categories);
    if (Object.keys(columns).length === 0 && !regrouped) return { before, after: before };
    await updateSite(trx, before.blog_id, columns).catch(orTaken);
    if (regrouped) await replaceCategories(trx, before.blog_id, categories);
    return { before, after: ofNetwork(networkId, await readSite(db, trx, before.blog_id)) };
  }

  async #placeOf(trx: Knex.Transaction, networkId: number, slug: string, reserved: readonly string[]) {
    return this.#parts.places.place(await findNetworkPlace(trx, networkId), slug, reserved);
  }
}

/** @throws `site_not_found`, `site_not_in_network` */
export function ofNetwork(networkId: number, site: SiteRecord | null): SiteRecord {
  if (!site) return fail('site_not_found');
  return site.network_id === networkId ? site : fail('site_not_in_network');
}

/** Keys whose value is not the one that the site has. */
function differing(site: SiteRecord, columns: SiteColumns): SiteColumns {
  return Object.fromEntries(
    Object.entries(columns).filter(
      ([name, value]) => value !== undefined && value !== site[name as keyof SiteColumns],
    ),
  );
}

/** Both in order of ids. */
const sameIds = (ids: readonly number[], labels: readonly { readonly id: number }[]): boolean =>
  ids.length === labels.length && labels.every((label, at) => label.id === ids[at]);

/** For writes of an address. @throws `site_exists` when another site has it, else the error itself */
export function orTaken(error: unknown): never {
  if (isUniqueViolation(error, 'sites_address')) fail('site_exists');
  throw error;
}
