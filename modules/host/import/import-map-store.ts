import { createHash } from 'node:crypto';
import type { Knex } from 'knex';

/** What is left to do for an imported post; ids are those of the export. */
export interface PendingLinks {
  readonly parent?: string;
  readonly thumbnail?: string;
  /** Its texts name files of attachments that were not there yet. */
  readonly urls?: true;
  /** Its own file is still to be fetched. */
  readonly fetch?: true;
}

export interface ImportedPost {
  readonly kind: string;
  readonly old_id: string;
  readonly new_id: number;
  readonly links: PendingLinks | null;
}

/** Longest texts that the table's index takes; longer ones are kept as their hashes. */
const longestKey = 400;

const short = (text: string): string =>
  text.length <= longestKey ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Which record of which old site became which post here. One row per imported post, gone with it. */
export class ImportMapStore {
  readonly #place: { readonly blog_id: number; readonly base_url: string };

  constructor(blogId: number, baseUrl: string) {
    this.#place = { blog_id: blogId, base_url: short(baseUrl) };
  }

  /** Which of these are known, each as `kind:old_id`. */
  async known(
    sql: Knex,
    items: readonly { readonly kind: string; readonly old_id: string }[],
  ): Promise<ReadonlySet<string>> {
    const ids = items.map(({ old_id }) => short(old_id));
    const rows = (await sql('import_map')
      .where(this.#place)
      .whereRaw('old_id = any(?)', [ids])
      .select('kind', 'old_id')) as { kind: string; old_id: string }[];
    const found = new Set(rows.map(({ kind, old_id }) => `${kind}:${old_id}`));
    const names = items.map(({ kind, old_id }) => [`${kind}:${old_id}`, `${kind}:${short(old_id)}`] as const);
    return new Set(names.filter(([, key]) => found.has(key)).map(([name]) => name));
  }

  /** Notes new posts; one statement. */
  async add(trx: Knex.Transaction, posts: readonly ImportedPost[]): Promise<void> {
    if (posts.length === 0) return;
    await trx('import_map').insert(
      posts.map(({ kind, old_id, new_id, links }) => ({
        ...this.#place,
        kind,
        old_id: short(old_id),
        new_id,
        links: links === null ? null : JSON.stringify(links),
      })),
    );
  }

  /** The next posts that wait for one of these, after a certain one; in the order of their new ids. */
  pending(
    sql: Knex,
    what: readonly (keyof PendingLinks)[],
    after: number,
    limit: number,
  ): Promise<ImportedPost[]> {
    return sql('import_map')
      .where(this.#place)
      .whereNotNull('links')
      .whereRaw('jsonb_exists_any(links, ?)', [[...what]])
      .where('new_id', '>', after)
      .orderBy('new_id')
      .limit(limit)
      .select('kind', 'old_id', 'new_id', 'links') as never;
  }

  /** The imported posts that had these ids, by old id. */
  async newIds(
    sql: Knex,
    oldIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly { readonly kind: string; readonly new_id: number }[]>> {
    const rows = (await sql('import_map')
      .where(this.#place)
      .whereRaw('old_id = any(?)', [[...new Set(oldIds)]])
      .orderBy('new_id')
      .select('kind', 'old_id', 'new_id')) as ImportedPost[];
    const found = new Map<string, { kind: string; new_id: number }[]>();
    for (const { kind, old_id, new_id } of rows) {
      found.set(old_id, [...(found.get(old_id) ?? []), { kind, new_id }]);
    }
    return found;
  }

  /** These have no longer to wait for this. */
  async done(
    trx: Knex.Transaction,
    newIds: readonly number[],
    ...what: readonly (keyof PendingLinks)[]
  ): Promise<void> {
    await trx('import_map')
      .where(this.#place)
      .whereIn('new_id', newIds)
      .update({ links: trx.raw(`nullif(links - ?::text[], '{}')`, [[...what]]) });
  }
}
