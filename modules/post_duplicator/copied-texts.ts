import {
  type Call,
  documentKeys,
  type IdKind,
  MetaKeys,
  NamePatterns,
  type NewId,
  type Post,
  type RegisteredMeta,
  type Rewriting,
  rewritePost,
  UrlMoves,
} from '@lyceum/core';
import type { Knex } from 'knex';
import type { CopiedAttachments } from './attachment-pool.ts';
import type { Target } from './target.ts';

/** What has a counterpart for the copies of one transaction: new ids by old ones. */
export interface Counterparts {
  readonly attachments: CopiedAttachments;
  readonly records: ReadonlyMap<number, number>;
  readonly terms: ReadonlyMap<number, number>;
}

/** Private keys that say something of the record itself, not of what is in it. */
const neverCopied = ['_edit_*', '_import_*', '_trash_*', '_duplicate_of'];

const nothingExcluded = new NamePatterns([]);

/** Texts and meta of records as their copies on one site have them. */
export class CopiedTexts {
  readonly #call: Call;
  readonly #target: Target;
  readonly #withMeta: boolean;
  readonly #excluded: NamePatterns;

  /** @param withMeta false: no meta but the document */
  constructor(call: Call, target: Target, withMeta: boolean) {
    this.#call = call;
    this.#target = target;
    this.#withMeta = withMeta;
    this.#excluded = new NamePatterns([...neverCopied, ...target.rules.excludeMeta]);
  }

  /** The record with what changes in a copy of it. */
  async of(trx: Knex.Transaction, record: Post, parts: Counterparts): Promise<Post> {
    const registered = this.#call.get(MetaKeys).of('post', record.type);
    const kept = this.#withoutRefused(record, registered);
    const { isHome } = this.#target;
    if (isHome && parts.attachments.ids.size === 0) return kept;
    const newId = isHome ? idsAtHome(parts) : idsElsewhere(parts);
    const urls = await this.#urls(trx, kept, registered, parts);
    return rewritePost(kept, registered, nothingExcluded, { newId, urls });
  }

  /** Without meta that is not copied; the document stays, whatever the rules say of meta. */
  #withoutRefused(record: Post, registered: ReadonlyMap<string, RegisteredMeta>): Post {
    const document = documentKeys(record);
    const isCopied = (key: string): boolean => {
      const declared = registered.get(key);
      return !declared?.unique && declared?.copy !== false && !this.#excluded.includes(key);
    };
    const kept = (meta: Post['meta']): Post['meta'] =>
      Object.fromEntries(
        Object.entries(meta).filter(([key]) => document.includes(key) || (this.#withMeta && isCopied(key))),
      );
    return { ...record, meta: kept(record.meta), private_meta: kept(record.private_meta) };
  }

  /** Addresses of copied files become those of the copies; all others stay. */
  async #urls(
    trx: Knex.Transaction,
    record: Post,
    registered: ReadonlyMap<string, RegisteredMeta>,
    { attachments }: Counterparts,
  ): Promise<Rewriting['urls']> {
    if (attachments.paths.size === 0) return (text) => text;
    const { domain, path } = this.#call.site;
    const { site } = this.#target;
    const moves = new UrlMoves([{ domain, path }], {
      to: { domain: site.domain, path: site.path, origin: null },
      pages: false,
      file: (file) => attachments.paths.get(file) ?? null,
    });
    const unchanged: NewId = () => undefined;
    rewritePost(record, registered, nothingExcluded, {
      newId: unchanged,
      urls: (text) => moves.collect(text),
    });
    await moves.read(trx);
    return (text) => moves.rewrite(text);
  }
}

/** On the same site an id stays, unless its attachment has a copy. */
const idsAtHome =
  ({ attachments }: Counterparts): NewId =>
  (kinds, id) =>
    (kinds.includes('attachment') ? attachments.ids.get(id) : undefined) ?? id;

/** On another site only what went along has a counterpart. */
function idsElsewhere({ attachments, records, terms }: Counterparts): NewId {
  const found: Readonly<Record<IdKind, ReadonlyMap<number, number>>> = {
    attachment: attachments.ids,
    post: records,
    term: terms,
  };
  return (kinds, id) => {
    for (const kind of kinds) {
      const copy = found[kind].get(id);
      if (copy !== undefined) return copy;
    }
    return undefined;
  };
}
