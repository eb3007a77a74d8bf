import type { Knex } from 'knex';
import { fail } from '../../api/errors.ts';
import type { HostSettings } from '../../settings/host-settings.ts';
import type { SiteState } from '../../state/site-state.ts';
import type { AttachmentStore } from './attachment-store.ts';

/** The site that wants to take more. */
export interface Taker {
  readonly site: { readonly blog_id: number };
  readonly state: SiteState;
}

/** What the files of a site may need together: the network's setting `upload_space_bytes`, 0 for no limit. */
export class UploadSpace {
  readonly #settings: HostSettings;
  readonly #store: AttachmentStore;

  constructor(settings: HostSettings, store: AttachmentStore) {
    this.#settings = settings;
    this.#store = store;
  }

  /** Throws `media_quota_exceeded` when so many bytes do not fit now. */
  async check(sql: Knex, taker: Taker, bytes: number): Promise<void> {
    const most = this.#most(taker);
    if (most === 0) return;
    const used = await this.#store.usedBytes(sql, taker.site.blog_id);
    if (used + bytes > most) fail('media_quota_exceeded');
  }

  /** The same for a file that this transaction adds: parallel ones reckon one after the other. */
  async claim(trx: Knex.Transaction, taker: Taker, bytes: number): Promise<void> {
    if (this.#most(taker) === 0) return;
    await this.#store.lockSpace(trx, taker.site.blog_id);
    await this.check(trx, taker, bytes);
  }

  #most({ state }: Taker): number {
    return this.#settings.value<number>(state, 'upload_space_bytes');
  }
}
