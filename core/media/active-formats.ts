import type { Knex } from 'knex';

/** A format of an attachment that is being made, or waits for it. */
export interface ActiveFormat {
  readonly format: string;
  readonly status: 'pending' | 'running';
  /** 0 to 100. */
  readonly percent: number;
}

/** Asks a module what it has under way for an attachment. One query, in the transaction of the answer. */
export type ActiveFormatsSource = (
  sql: Knex,
  blogId: number,
  attachmentId: number,
) => Promise<ActiveFormat[]>;

/** What is under way for attachments: whoever makes formats says so, whoever shows players asks. */
export class ActiveFormats {
  readonly #sources = new Map<string, ActiveFormatsSource>();

  /** For `start` of a module that makes formats. Newer code of it takes the place of the old. */
  register(module: string, source: ActiveFormatsSource): void {
    this.#sources.set(module, source);
  }

  /** Formats of an attachment that are under way, by the module that makes them. */
  async list(sql: Knex, blogId: number, attachmentId: number): Promise<ActiveFormat[]> {
    const found: ActiveFormat[] = [];
    for (const source of this.#sources.values()) found.push(...(await source(sql, blogId, attachmentId)));
    return found;
  }
}
