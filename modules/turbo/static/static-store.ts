import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';
import type { StaticContent, StaticFile, StaticFolder } from './static-record.ts';

const ofPage: NamedStatement = {
  name: 'turbo-static',
  text: `select folder, source_hash, files, placeholders, missing, built_at from turbo_static
    where page_id = $1 and blog_id = $2 and remove_after is null`,
};

const oneFile: NamedStatement = {
  name: 'turbo-static-file',
  text: `select files -> $3 as file, built_at from turbo_static
    where folder = $1 and blog_id = $2 and source_hash is not null and (remove_after is null or remove_after > $4)`,
};

/** A place that nobody has any more. */
export interface Leftover {
  readonly id: number;
  readonly blog_id: number;
  readonly folder: string;
}

/** Folders of static pages: being made, in use, and over. */
export class StaticStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The folder that the page has. */
  async ofPage(blogId: number, pageId: number): Promise<StaticFolder | null> {
    const [row] = await this.#db.lookUp<StaticFolder>(ofPage, [pageId, blogId]);
    return row ?? null;
  }

  /** A file of a folder that is served; one look into one index. */
  async file(
    blogId: number,
    folder: string,
    name: string,
    now: Date,
  ): Promise<(StaticFile & { readonly built_at: string }) | null> {
    const values = [folder, blogId, name, now];
    const [row] = await this.#db.lookUp<{ file: StaticFile | null; built_at: string }>(oneFile, values);
    return row?.file ? { ...row.file, built_at: row.built_at } : null;
  }

  /** Before the first byte of a folder; it goes then unless it was finished. */
  async begin(
    folder: { readonly blog_id: number; readonly page_id: number; readonly folder: string },
    until: Date,
  ): Promise<void> {
    await this.#db.knex('turbo_static').insert({ ...folder, remove_after: until });
  }

  /** The folder becomes that of its page; what the page had is served until then. */
  async finish(
    trx: Knex.Transaction,
    pageId: number,
    { folder, source_hash, files, placeholders, missing, built_at }: StaticFolder,
    until: Date,
  ): Promise<void> {
    await trx('turbo_static')
      .where({ page_id: pageId })
      .whereNull('remove_after')
      .update({ remove_after: until });
    const content: Record<keyof StaticContent, string> = {
      files: JSON.stringify(files),
      placeholders: JSON.stringify(placeholders),
      missing: JSON.stringify(missing),
    };
    await trx('turbo_static')
      .where({ folder })
      .update({ ...content, source_hash, built_at, remove_after: null });
  }

  /** Folders of the page are served no longer, from the end of the transaction on. */
  async withdraw(trx: Knex.Transaction, blogId: number, pageId: number, now: Date): Promise<void> {
    await trx('turbo_static')
      .where({ blog_id: blogId, page_id: pageId })
      .whereNotNull('source_hash')
      .update({ remove_after: now });
  }

  /** Pages of the site whose folders hold this file, whatever its extension, are rendered anew when asked for. */
  async outdate(trx: Knex.Transaction, blogId: number, name: string): Promise<void> {
    await trx('turbo_static')
      .where({ blog_id: blogId })
      .whereNull('remove_after')
      .whereRaw(
        'exists (select from jsonb_object_keys(files) as file where starts_with(file, ?))',
        `${name}.`,
      )
      .update({ source_hash: '' });
  }

  /** A folder that was not finished goes with the next sweep. */
  async giveUp(folder: string, now: Date): Promise<void> {
    await this.#db.knex('turbo_static').where({ folder }).update({ remove_after: now });
  }

  /** One that is due, which nobody else takes until the transaction ends. */
  async nextDue(trx: Knex.Transaction, now: Date): Promise<Leftover | null> {
    const query = trx('turbo_static').where('remove_after', '<=', now).orderBy('remove_after');
    return (await query.forUpdate().skipLocked().first('id', 'blog_id', 'folder')) ?? null;
  }

  async forget(trx: Knex.Transaction, id: number): Promise<void> {
    await trx('turbo_static').where({ id }).delete();
  }
}
