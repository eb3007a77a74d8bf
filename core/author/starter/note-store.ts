import { type Database, lockUntilCommit } from '@lyceum/core';
import type { Knex } from 'knex';

export interface NoteRow {
  readonly id: number;
  readonly author_id: number;
  readonly text: string;
  readonly words: number | null;
  readonly created_at: string;
}

const columns = ['id', 'author_id', 'text', 'words', 'created_at'];

/** The only place with SQL. */
export class NoteStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(blogId: number, limit: number, offset: number): Promise<{ rows: NoteRow[]; total: number }> {
    const notes = () => this.#db.knex('my_module_notes').where('blog_id', blogId);
    const [rows, count] = await Promise.all([
      notes().select(columns).orderBy('id', 'desc').limit(limit).offset(offset),
      notes().count({ total: '*' }).first(),
    ]);
    return { rows: rows as NoteRow[], total: Number(count?.total ?? 0) };
  }

  /** Null when the site has `most` notes already, also for two callers at once. */
  async add(
    trx: Knex.Transaction,
    note: { readonly blog_id: number; readonly author_id: number; readonly text: string },
    most: number,
  ): Promise<NoteRow | null> {
    await lockUntilCommit(trx, `my_module_notes ${note.blog_id}`);
    const count = await trx('my_module_notes').where('blog_id', note.blog_id).count({ total: '*' }).first();
    if (Number(count?.total ?? 0) >= most) return null;
    const [row] = (await trx('my_module_notes').insert(note).returning(columns)) as NoteRow[];
    return row ?? null;
  }

  async countWords(trx: Knex.Transaction, blogId: number, id: number): Promise<number> {
    const [row] = (await trx('my_module_notes')
      .where({ blog_id: blogId, id })
      .update({ words: trx.raw("cardinality(regexp_split_to_array(trim(text), '\\s+'))") })
      .returning('words')) as { words: number }[];
    return row?.words ?? 0;
  }
}
