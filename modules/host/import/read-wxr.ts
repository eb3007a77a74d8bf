import { WxrBuilder } from './wxr-builder.ts';
import type { WxrRecord } from './wxr-record.ts';
import type { XmlEvent } from './xml-events.ts';

const exportForm = /^https?:\/\/wordpress\.org\/export\/1\.[0-2]\/$/;
const excerptForm = /^https?:\/\/wordpress\.org\/export\/1\.[0-2]\/excerpt\/$/;
const contentUri = 'http://purl.org/rss/1.0/modules/content/';
const dublinCoreUri = 'http://purl.org/dc/elements/1.1/';

/** Name of an element as the rest of the import knows it: `wp:` for those of an export, plain RSS as it is. */
function nameOf(uri: string, name: string): string {
  if (uri === '') return name;
  if (exportForm.test(uri)) return `wp:${name}`;
  if (excerptForm.test(uri) && name === 'encoded') return 'excerpt';
  if (uri === contentUri && name === 'encoded') return 'content';
  return uri === dublinCoreUri && name === 'creator' ? 'creator' : 'other';
}

const plainFields: ReadonlySet<string> = new Set(['title', 'guid', 'creator', 'content', 'excerpt']);
const headNames: ReadonlySet<string> = new Set(['link', 'wp:wxr_version', 'wp:base_blog_url']);
const recordNames: ReadonlySet<string> = new Set(['item', 'wp:author', 'wp:category', 'wp:tag', 'wp:term']);
const termFields = {
  'wp:category': {
    slug: 'category_nicename',
    name: 'cat_name',
    parent: 'category_parent',
    description: 'category_description',
  },
  'wp:tag': { slug: 'tag_slug', name: 'tag_name', parent: 'none', description: 'tag_description' },
  'wp:term': {
    slug: 'term_slug',
    name: 'term_name',
    parent: 'term_parent',
    description: 'term_description',
  },
} as const;

/** The records of an export, in the order of the file. What is in no place that exports have is passed over. */
export async function* readWxr(xml: AsyncIterable<readonly XmlEvent[]>): AsyncGenerator<WxrRecord> {
  const reader = new WxrReader();
  for await (const events of xml) {
    for (const event of events) {
      const record = reader.take(event);
      if (record) yield record;
    }
  }
}

class WxrReader {
  /** Names of the open elements, from the root. */
  readonly #path: string[] = [];
  #record: WxrBuilder | null = null;
  /** The field whose text comes now. */
  #field: string | null = null;
  #head: string[] = [];
  #assignment = { taxonomy: '', slug: '' };

  take(event: XmlEvent): WxrRecord | null {
    if (event.kind === 'open') return this.#open(event);
    if (event.kind === 'close') return this.#close();
    if (this.#field !== null) this.#record?.text(this.#field, event.text);
    else if (this.#isHead()) this.#head.push(event.text);
    return null;
  }

  #isHead(): boolean {
    const isPlace = this.#path.length === 3 && this.#path[1] === 'channel';
    return isPlace && headNames.has(this.#path.at(-1) ?? '');
  }

  #open({ uri, name: local, attributes }: Extract<XmlEvent, { kind: 'open' }>): null {
    const name = nameOf(uri, local);
    this.#path.push(name);
    this.#field = null;
    const depth = this.#path.length;
    if (depth === 3 && this.#path[1] === 'channel') {
      this.#head = [];
      this.#record = recordNames.has(name) ? new WxrBuilder() : null;
    } else if (depth === 4) this.#openField(name, attributes);
    else if (depth === 5 && this.#isIn('wp:postmeta', 'wp:termmeta') && name.startsWith('wp:meta_')) {
      this.#beginField(name.slice(3));
    }
    return null;
  }

  #openField(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'wp:comment') this.#record?.addComment();
    else if (name === 'category') {
      this.#assignment = { taxonomy: attributes.domain ?? '', slug: attributes.nicename ?? '' };
      this.#beginField('category');
    } else if (plainFields.has(name)) this.#beginField(name);
    else if (name.startsWith('wp:') && !this.#isIn('wp:postmeta', 'wp:termmeta')) {
      this.#beginField(name.slice(3));
    }
  }

  #beginField(field: string): void {
    this.#field = field;
    this.#record?.begin(field);
  }

  #isIn(...names: readonly string[]): boolean {
    return names.includes(this.#path[3] ?? '');
  }

  #close(): WxrRecord | null {
    const name = this.#path.at(-1) ?? '';
    const depth = this.#path.length;
    if (depth === 4 && this.#isIn('wp:postmeta', 'wp:termmeta')) this.#record?.endMeta();
    if (depth === 4 && name === 'category') {
      this.#record?.addTerm(this.#assignment.taxonomy.trim(), this.#assignment.slug.trim());
    }
    const record = depth === 3 ? this.#closeRecord(name) : null;
    this.#path.pop();
    this.#field = null;
    return record;
  }

  #closeRecord(name: string): WxrRecord | null {
    const builder = this.#record;
    this.#record = null;
    if (this.#isHead()) {
      const text = this.#head.join('').trim();
      if (name === 'wp:wxr_version') return { kind: 'version', text };
      return { kind: name === 'link' ? 'link' : 'base', url: text };
    }
    if (!builder) return null;
    if (name === 'item') return builder.item();
    if (name === 'wp:author') return authorIn(builder);
    if (name === 'wp:category') return builder.term('category', termFields[name]);
    if (name === 'wp:tag') return builder.term('tag', termFields[name]);
    return name === 'wp:term'
      ? builder.term(builder.get('term_taxonomy').trim(), termFields['wp:term'])
      : null;
  }
}

/** Names of authors are kept in memory until the end. */
const longestName = 300;

function authorIn(builder: WxrBuilder): WxrRecord {
  const field = (name: string): string => builder.get(`author_${name}`).trim().slice(0, longestName);
  return {
    kind: 'author',
    login: field('login'),
    email: field('email'),
    displayName: field('display_name'),
    firstName: field('first_name'),
    lastName: field('last_name'),
  };
}
