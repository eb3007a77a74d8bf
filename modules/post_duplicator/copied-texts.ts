import {
  type Call,
  editorOf,
  type IdKind,
  MetaKeys,
  NamePatterns,
  type NewId,
  type Post,
  type RegisteredMeta,
  type Rewriting,
  rewriteMeta,
  rewritePost,
  UrlMoves,
} from '@lyceum/core';
import type { Knex } from 'knex';
import type { CopiedAttachments } from './attachment-pool.ts';
import { DuplicateStore } from './duplicate-store.ts';
import type { Target } from './target.ts';

/** What has a counterpart for the copies of one transaction. */
export interface Counterparts {
  readonly attachments: CopiedAttachments;
  /** New ids of records by old ones. */
  readonly records: ReadonlyMap<number, number>;
  readonly terms: ReadonlyMap<number, number>;
}

/** Private keys that say something of the record itself, not of what is in it. */
const neverCopied = ['_edit_*', '_import_*', '_trash_*', '_duplicate_of'];

/** Keys that are the document of a record, or say which editor it has. */
const documentKeys: Readonly<Record<'block' | 'pagebuilder' | 'turbo', readonly string[]>> = {
  block: ['editor'],
  pagebuilder: ['editor', 'pagebuilder_data'],
  turbo: ['editor', 'turbo_html'],
};

const identity = (text: string): string => text;

/** Texts and meta of records as their copies on one site have them. */
export class CopiedTexts {
  readonly #call: Call;
  readonly #target: Target;
  readonly #excluded: NamePatterns;

  constructor(call: Call, target: Target) {
    this.#call = call;
    this.#target = target;
    this.#excluded = new NamePatterns([...neverCopied, ...target.rules.excludeMeta]);
  }

  /** The record with what changes in a copy of it. @param withMeta false: no meta but the document */
  async of(trx: Knex.Transaction, record: Post, parts: Counterparts, withMeta: boolean): Promise<Post> {
    const registered = this.#call.get(MetaKeys).of('post', record.type);
    const kept = keptMeta(record, registered, withMeta);
    const newId = this.#target.isHome
      ? await this.#idsAtHome(trx, kept, registered, parts)
      : idsElsewhere(parts);
    const urls = await this.#urls(trx, kept, registered, parts);
    return rewritePost(kept, registered, this.#excluded, { newId, urls });
  }

  /** On the same site an id stays, unless it has a copy; in registered meta only while what it names is there. */
  async #idsAtHome(
    trx: Knex.Transaction,
    record: Post,
    registered: ReadonlyMap<string, RegisteredMeta>,
    { attachments }: Counterparts,
  ): Promise<NewId> {
    const asked = { posts: new Set<number>(), terms: new Set<number>() };
    const collect: NewId = (kinds, id) => {
      asked[kinds.includes('term') ? 'terms' : 'posts'].add(id);
      return undefined;
    };
    rewriteMeta(record.meta, registered, this.#excluded, { newId: collect, urls: identity });
    const store = this.#call.get(DuplicateStore);
    const posts = await store.present(trx, record.blog_id, 'posts', [...asked.posts]);
    const terms = await store.present(trx, record.blog_id, 'terms', [...asked.terms]);
    return (kinds, id) => {
      const copy = kinds.includes('attachment') ? attachments.ids.get(id) : undefined;
      if (copy !== undefined) return copy;
      return (kinds.includes('term') ? terms : posts).has(id) ? id : undefined;
    };
  }

  /** Addresses of copied files become those of the copies; all others stay. */
  async #urls(
    trx: Knex.Transaction,
    record: Post,
    registered: ReadonlyMap<string, RegisteredMeta>,
    { attachments }: Counterparts,
  ): Promise<Rewriting['urls']> {
    if (attachments.paths.size === 0) return identity;
    const { domain, path } = this.#call.site;
    const { site } = this.#target;
    const moves = new UrlMoves([{ domain, path }], {
      to: { domain: site.domain, path: site.path, origin: null },
      pages: false,
      file: (file) => attachments.paths.get(file) ?? null,
    });
    rewritePost(record, registered, this.#excluded, {
      newId: () => undefined,
      urls: (text) => moves.collect(text),
    });
    await moves.read(trx);
    return (text) => moves.rewrite(text);
  }
}

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

/** Without values that no two records share. */
function keptMeta(record: Post, registered: ReadonlyMap<string, RegisteredMeta>, withMeta: boolean): Post {
  const document = documentKeys[editorOf(record)];
  const isKept = (key: string): boolean =>
    registered.get(key)?.unique === undefined && (withMeta || document.includes(key));
  const meta = Object.fromEntries(Object.entries(record.meta).filter(([key]) => isKept(key)));
  return { ...record, meta, private_meta: withMeta ? record.private_meta : {} };
}
