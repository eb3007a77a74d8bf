import { AttachmentPaths, withoutQuery } from './attachment-paths.ts';
import { BrokenXml, ForbiddenXml, failBroken, failForbidden, failNotWxr } from './import-problem.ts';
import { MovedUrls, siteAddress } from './moved-urls.ts';
import type { WxrAuthor, WxrItem, WxrRecord, WxrTerm } from './wxr-record.ts';

/** Authors and terms that an import keeps apart: they stay in memory. */
const mostAuthors = 10_000;
const mostTerms = 100_000;

/** Characters of a term's name; of the descriptions and meta of all terms together. */
const longestTermName = 1_000;
const mostTermText = 16 * 1024 * 1024;

/** What the first reading of an export found. */
export interface Survey {
  /** Address of the exported site; empty when the export does not tell. */
  readonly base: string;
  /** Finds URLs of the exported site; null without an address. */
  readonly urls: MovedUrls | null;
  readonly attachments: AttachmentPaths;
  /** By login; creators of items whom the head does not name have nothing but that. */
  readonly authors: ReadonlyMap<string, WxrAuthor>;
  /** Those of the head first, each once. */
  readonly terms: readonly WxrTerm[];
  readonly items: number;
  readonly comments: number;
  /** Where the file is broken, which ends what can be read of it. */
  readonly broken: BrokenXml | null;
}

const versionForm = /^1\.[0-2]$/;

/** The taxonomy that one of an export is here. */
export const taxonomyOf = (name: string): string => (name === 'post_tag' ? 'tag' : name);

/** A term's name within an export. */
export const termKey = (taxonomy: string, slug: string, name: string): string =>
  `${taxonomyOf(taxonomy)}\n${slug === '' ? `\n${name}` : slug}`;

/** Reads the whole export and keeps what the import must know before it writes. */
export class Surveyor {
  readonly #takes: (item: WxrItem) => boolean;
  readonly #authors = new Map<string, WxrAuthor>();
  readonly #terms = new Map<string, WxrTerm>();
  readonly #attachments = new AttachmentPaths();
  #version = '';
  #base = '';
  #urls: MovedUrls | null = null;
  #termText = 0;
  #items = 0;
  #comments = 0;

  /** @param takes whether an item will come in: authors and terms of others are of no interest */
  constructor(takes: (item: WxrItem) => boolean) {
    this.#takes = takes;
  }

  /** @throws `import_forbidden_xml`, `import_not_wxr`; `import_bad_xml` when it breaks before it says what it is */
  async read(records: AsyncIterable<WxrRecord>, progress: (items: number) => Promise<void>): Promise<Survey> {
    let broken: BrokenXml | null = null;
    try {
      for await (const record of records) {
        this.#take(record);
        if (record.kind === 'item') await progress(this.#items);
      }
    } catch (error) {
      if (error instanceof ForbiddenXml) failForbidden();
      if (!(error instanceof BrokenXml)) throw error;
      broken = error;
    }
    if (!versionForm.test(this.#version)) broken ? failBroken(broken) : failNotWxr();
    return {
      base: this.#base,
      urls: this.#urls,
      attachments: this.#attachments,
      authors: this.#authors,
      terms: [...this.#terms.values()],
      items: this.#items,
      comments: this.#comments,
      broken,
    };
  }

  #take(record: WxrRecord): void {
    if (record.kind === 'version') this.#version = record.text;
    else if (record.kind === 'base') this.#takeBase(record.url);
    else if (record.kind === 'link') this.#takeLink(record.url);
    else if (record.kind === 'author') this.#takeAuthor(record);
    else if (record.kind === 'term') this.#takeTerm(record);
    else this.#takeItem(record);
  }

  #takeBase(url: string): void {
    const address = siteAddress(url);
    this.#base = url.replace(/\/+$/, '');
    this.#urls = address && new MovedUrls(address);
  }

  /** Old exports of one blog have nothing else. */
  #takeLink(url: string): void {
    if (this.#base === '') this.#takeBase(url);
  }

  #takeAuthor(author: WxrAuthor): void {
    const { login } = author;
    const isKnown = (this.#authors.get(login)?.email ?? '') !== '';
    if (login !== '' && !isKnown && (this.#authors.has(login) || this.#authors.size < mostAuthors)) {
      this.#authors.set(login, author);
    }
  }

  #takeTerm(given: WxrTerm): void {
    const cut = (text: string): string => text.slice(0, longestTermName);
    const { taxonomy, slug, name, parent } = given;
    const named = { taxonomy: cut(taxonomy), slug: cut(slug), name: cut(name), parent: cut(parent) };
    const key = termKey(named.taxonomy, named.slug, named.name);
    if (this.#terms.has(key) || this.#terms.size >= mostTerms) return;
    this.#termText += given.meta.reduce(
      (length, meta) => length + meta.value.length,
      given.description.length,
    );
    const texts = this.#termText > mostTermText ? { description: '', meta: [] } : {};
    this.#terms.set(key, { ...given, ...named, ...texts });
  }

  #takeItem(item: WxrItem): void {
    const { creator, terms, type, attachmentUrl, guid } = item;
    this.#items += 1;
    this.#comments += item.comments;
    if (!this.#takes(item)) return;
    const nobody = { email: '', displayName: '', firstName: '', lastName: '' };
    if (!this.#authors.has(creator)) this.#takeAuthor({ kind: 'author', login: creator, ...nobody });
    for (const { taxonomy, slug, name } of terms) {
      this.#takeTerm({ kind: 'term', taxonomy, slug, name, parent: '', description: '', meta: [] });
    }
    const path = type === 'attachment' ? this.#urls?.path(attachmentUrl || guid) : null;
    if (path) this.#attachments.add(withoutQuery(path));
  }
}
