import {
  type Call,
  type Clock,
  canonicalHash,
  fail,
  firstFree,
  invalidParams,
  lockUntilCommit,
  maxSlug,
  numberedSlug,
  sanitizeSlug,
} from '@lyceum/core';
import type { Knex } from 'knex';
import type { Preset, PresetStatus } from './preset.ts';
import type { PresetChanges, PresetStore } from './preset-store.ts';

/** What a client says of a new preset. */
export interface PresetWish {
  readonly name: string;
  readonly element_type: string;
  readonly settings: Preset['settings'];
  readonly is_default: boolean;
}

/** What a client wants changed; absent fields stay. */
export interface PresetEdit {
  readonly name?: string | undefined;
  readonly settings?: Preset['settings'] | undefined;
  readonly is_default?: boolean | undefined;
  readonly status?: PresetStatus | undefined;
  /** The hash of the settings that the client had before him. */
  readonly base_hash?: string | undefined;
}

/** Whose presets, and how many of them. */
interface Place {
  readonly blogId: number;
  readonly userId: number;
  readonly most: number;
}

export const placeOf = (call: Call): Place => ({
  blogId: call.site.blog_id,
  userId: call.user?.id ?? 0,
  most: call.setting<number>('max_presets'),
});

/** Writes presets of a site, one writer at a time: names, numbers and the default concern more than one row. */
export class Presets {
  readonly #store: PresetStore;
  readonly #clock: Clock;

  constructor(store: PresetStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @throws `style_presets_exists`, `style_presets_limit` */
  async create(trx: Knex.Transaction, place: Place, wish: PresetWish): Promise<Preset> {
    const { blogId, userId } = place;
    await this.#lock(trx, blogId);
    await this.#checkName(trx, blogId, wish, 0);
    await this.#checkRoom(trx, place);
    const slug = await this.#freeSlug(trx, blogId, wish.name);
    const at = this.#now();
    if (wish.is_default) await this.#store.clearDefault(trx, blogId, wish.element_type, at);
    return this.#store.insert(trx, {
      ...wish,
      blog_id: blogId,
      slug,
      status: 'publish',
      author_id: userId,
      created_at: at,
      modified_at: at,
    });
  }

  /**
   * What is so already is not written.
   * @throws `style_presets_not_found`, `style_presets_conflict`, `style_presets_exists`, `style_presets_limit`;
   * `rest_invalid_param` naming `is_default`
   */
  async change(trx: Knex.Transaction, place: Place, id: number, edit: PresetEdit): Promise<Preset> {
    const { blogId } = place;
    await this.#lock(trx, blogId);
    const before = (await this.#store.find(trx, blogId, id)) ?? fail('style_presets_not_found');
    checkBase(before, edit);
    const after = edited(before, edit);
    const changes = changed(before, after);
    if (Object.keys(changes).length === 0) return before;
    const isRestored = changes.status === 'publish';
    const isNamed = changes.name !== undefined && after.status === 'publish';
    if (isRestored || isNamed) await this.#checkName(trx, blogId, after, id);
    if (isRestored) await this.#checkRoom(trx, place);
    const at = this.#now();
    if (changes.is_default) await this.#store.clearDefault(trx, blogId, before.element_type, at);
    return this.#store.update(trx, id, { ...changes, modified_at: at });
  }

  #lock(trx: Knex.Transaction, blogId: number): Promise<void> {
    return lockUntilCommit(trx, `style_presets ${blogId}`);
  }

  async #checkName(
    trx: Knex.Transaction,
    blogId: number,
    preset: Pick<Preset, 'element_type' | 'name'>,
    id: number,
  ) {
    const other = await this.#store.namesake(trx, blogId, preset, id);
    if (other !== null) fail('style_presets_exists', { data: { id: other } });
  }

  async #checkRoom(trx: Knex.Transaction, { blogId, most }: Place): Promise<void> {
    if ((await this.#store.countPublished(trx, blogId)) >= most) fail('style_presets_limit');
  }

  #freeSlug(trx: Knex.Transaction, blogId: number, name: string): Promise<string> {
    const base = sanitizeSlug(name, maxSlug) || 'preset';
    return firstFree(
      (number) => numberedSlug(base, number),
      (slugs) => this.#store.takenSlugs(trx, blogId, slugs),
    );
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }
}

/** Settings that somebody else changed meanwhile are not written over, unless they are what is sent. */
function checkBase({ settings, modified_at }: Preset, edit: PresetEdit): void {
  if (edit.base_hash === undefined) return;
  const hash = canonicalHash(settings);
  const base_hash = edit.base_hash.toLowerCase();
  if (base_hash === hash || (edit.settings && canonicalHash(edit.settings) === hash)) return;
  fail('style_presets_conflict', { data: { base_hash, hash, modified_at } });
}

/** The preset as it is to be. Nothing in the trash is a default. */
function edited(before: Preset, { name, settings, is_default, status }: PresetEdit): Preset {
  const after = {
    ...before,
    name: name ?? before.name,
    settings: settings ?? before.settings,
    is_default: is_default ?? before.is_default,
    status: status ?? before.status,
  };
  if (after.status === 'publish') return after;
  if (is_default) invalidParams({ is_default: 'must not be true of a preset in the trash' });
  return { ...after, is_default: false };
}

/** Whatever the order of their keys. */
const isSame = (some: object, others: object): boolean =>
  some === others || canonicalHash(some) === canonicalHash(others);

function changed(before: Preset, after: Preset): PresetChanges {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(!isSame(after.settings, before.settings) && { settings: after.settings }),
    ...(after.is_default !== before.is_default && { is_default: after.is_default }),
    ...(after.status !== before.status && { status: after.status }),
  };
}
