import type { Database } from '../db/database.ts';
import type { Addresses } from '../http/addresses.ts';
import { findLetterhead } from './letterhead-store.ts';
import type { MailAddress } from './message.ts';

/** What all mails of a site have in common. */
export interface Letterhead {
  readonly title: string;
  /** Absolute, ends with `/`. Of the stored address. */
  readonly url: string;
  readonly from: MailAddress;
  /** The site's `default_lang`. */
  readonly language: string;
}

/** Finds what mails of a site begin with. */
export class Letterheads {
  readonly #db: Database;
  readonly #addresses: Addresses;

  constructor(db: Database, addresses: Addresses) {
    this.#db = db;
    this.#addresses = addresses;
  }

  /** Null when there is no such site any more. */
  async of(blogId: number): Promise<Letterhead | null> {
    const found = await findLetterhead(this.#db.knex, blogId);
    if (!found) return null;
    const { title, domain, path, admin_email, language } = found;
    return {
      title,
      url: this.#addresses.site({ domain, path }),
      from: { name: title, address: admin_email || noReply(domain) },
      language: language ?? 'en',
    };
  }
}

/** The address of mails where the network names none. */
export const noReply = (domain: string): string => `no-reply@${domain}`;
