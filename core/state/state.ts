import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.ts';
import type { Installed } from '../registry/installed.ts';
import type { InstalledModules } from '../registry/spec.ts';
import {
  buildSiteState,
  type ProcessFacts,
  type SiteState,
  type SiteStateRow,
  selectSiteState,
  selectSiteStates,
} from './site-state.ts';

/** Sites whose state is kept in memory: about 5 kB each. */
const sitesKept = 5_000;

/**
 * The state of each site as this process last saw it. The statement that finds a request's site also brings the
 * installation's revision, so a state is used only while it is the newest: a toggle holds in every process
 * with the next request, notified or not.
 */
export class State {
  readonly #db: Database;
  readonly #installed: Installed;
  readonly #facts: ProcessFacts;
  readonly #sites = new LRUCache<number, SiteState>({ max: sitesKept });
  readonly #loading = new Map<string, Promise<SiteState | null>>();
  #packagesSeen: ((generation: number) => void) | null = null;

  constructor(db: Database, installed: Installed, facts: ProcessFacts) {
    this.#db = db;
    this.#installed = installed;
    this.#facts = facts;
  }

  get modules(): InstalledModules {
    return this.#installed.current;
  }

  /** Tells how often packages were announced, whenever the database is asked: a notice may have been missed. */
  onPackages(seen: (generation: number) => void): void {
    this.#packagesSeen = seen;
  }

  get single(): boolean {
    return this.#facts.single;
  }

  /** The state if it is in memory, of this revision or a later one, and of the present modules. */
  known(blogId: number, revision: number): SiteState | null {
    const kept = this.#sites.get(blogId);
    return kept && kept.revision >= revision && kept.modules === this.modules ? kept : null;
  }

  /** The state at this revision or later; null when there is no such site. */
  async load(blogId: number, revision: number): Promise<SiteState | null> {
    const kept = this.known(blogId, revision);
    if (kept) return kept;
    const key = `${blogId}@${revision}`;
    const running = this.#loading.get(key);
    if (running) return running;
    const promise = this.read(blogId).finally(() => this.#loading.delete(key));
    this.#loading.set(key, promise);
    return promise;
  }

  /** The state of this moment, read from the database. */
  async read(blogId: number): Promise<SiteState | null> {
    const [row] = await this.#db.lookUp<SiteStateRow>(selectSiteState, [blogId]);
    if (!row) return null;
    this.#packagesSeen?.(row.packages_generation);
    const state = buildSiteState(row, this.modules, this.#facts);
    const kept = this.#sites.get(blogId);
    const isNewer = !kept || kept.revision < state.revision || kept.modules !== state.modules;
    if (isNewer) this.#sites.set(blogId, state);
    return state;
  }

  /** The states of this moment of several sites, in one statement and by id; sites that do not exist are not among them. */
  async readMany(blogIds: readonly number[]): Promise<ReadonlyMap<number, SiteState>> {
    const rows = await this.#db.lookUp<SiteStateRow>(selectSiteStates, [blogIds]);
    return new Map(rows.map((row) => [row.blog_id, buildSiteState(row, this.modules, this.#facts)]));
  }

  /**
   * The state as a transaction sees it, with the installation's row locked: until the transaction ends nobody
   * else changes a wish, a setting or the commit, so what was decided from it stays true.
   */
  async lock(trx: Knex.Transaction, blogId: number): Promise<SiteState> {
    await trx('installation').forUpdate().first('revision');
    return this.within(trx, blogId);
  }

  /** The state as a transaction sees it; needs no further connection. */
  async within(trx: Knex.Transaction, blogId: number): Promise<SiteState> {
    const { rows } = (await trx.raw(selectSiteState.text.replace('$1', '?'), [blogId])) as {
      rows: SiteStateRow[];
    };
    const [row] = rows;
    if (!row) throw new Error(`There is no site ${blogId}.`);
    return buildSiteState(row, this.modules, this.#facts);
  }

  /** A hint from another process: sites in use are read again before anybody asks for them. */
  async noticed(revision: number): Promise<void> {
    const stale = [...this.#sites.entries()].slice(0, 20).filter(([, state]) => state.revision < revision);
    await Promise.all(stale.map(([blogId]) => this.load(blogId, revision)));
  }
}
