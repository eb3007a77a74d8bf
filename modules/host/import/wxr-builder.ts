import type { WxrAssignment, WxrItem, WxrMeta, WxrTerm } from './wxr-record.ts';

/** Longest text of one field in characters: no more than a client could send. */
const longestField = 5 * 1024 * 1024;

/** Characters, and list members, of one record. */
const largestRecord = 24 * 1024 * 1024;
const mostMembers = 10_000;

/** Texts of this length are taken in any case: they say which record it is that is too large. */
const shortText = 1_000;

/** Every field that somebody asks for; a file may have any number of others. */
const known: ReadonlySet<string> = new Set(
  (
    'title guid creator content excerpt category post_id post_type status post_name post_password post_parent ' +
    'menu_order post_date post_date_gmt post_modified post_modified_gmt attachment_url meta_key meta_value ' +
    'author_login author_email author_display_name author_first_name author_last_name category_nicename cat_name ' +
    'category_parent category_description tag_slug tag_name tag_description term_taxonomy term_slug term_name ' +
    'term_parent term_description'
  ).split(' '),
);

/** Collects what one record of an export says. Past its limits it goes on reading and keeps nothing more. */
export class WxrBuilder {
  readonly #fields = new Map<string, string[]>();
  readonly #meta: WxrMeta[] = [];
  readonly #terms: WxrAssignment[] = [];
  #fieldLength = 0;
  #length = 0;
  #comments = 0;
  #isTooLarge = false;

  /** A field begins; one that is given again replaces what was there. */
  begin(field: string): void {
    if (known.has(field)) this.#fields.set(field, []);
    this.#fieldLength = 0;
  }

  text(field: string, text: string): void {
    const parts = this.#fields.get(field);
    if (!parts) return;
    this.#fieldLength += text.length;
    const isOver = this.#fieldLength > longestField || this.#length + text.length > largestRecord;
    if (isOver && this.#fieldLength > shortText) {
      this.#isTooLarge = true;
      return;
    }
    parts.push(text);
    this.#length += text.length;
  }

  #take(field: string): string {
    const text = this.get(field);
    this.#fields.delete(field);
    return text;
  }

  get(field: string): string {
    return this.#fields.get(field)?.join('') ?? '';
  }

  /** Key and value of a meta entry are there. */
  endMeta(): void {
    const entry = { key: this.#take('meta_key').trim(), value: this.#take('meta_value') };
    if (this.#isFull(this.#meta.length)) return;
    if (entry.key !== '') this.#meta.push(entry);
  }

  addTerm(taxonomy: string, slug: string): void {
    const name = this.#take('category').trim();
    if (this.#isFull(this.#terms.length)) return;
    if (taxonomy !== '' && (slug !== '' || name !== '')) this.#terms.push({ taxonomy, slug, name });
  }

  addComment(): void {
    this.#comments += 1;
  }

  #isFull(members: number): boolean {
    if (members >= mostMembers) this.#isTooLarge = true;
    return this.#isTooLarge;
  }

  item(): WxrItem {
    const trimmed = (field: string): string => this.get(field).trim();
    return {
      kind: 'item',
      id: trimmed('post_id'),
      type: trimmed('post_type'),
      status: trimmed('status'),
      title: this.get('title'),
      slug: trimmed('post_name'),
      content: this.get('content'),
      excerpt: this.get('excerpt'),
      creator: trimmed('creator'),
      password: this.get('post_password'),
      parent: trimmed('post_parent'),
      menuOrder: trimmed('menu_order'),
      date: trimmed('post_date'),
      dateGmt: trimmed('post_date_gmt'),
      modified: trimmed('post_modified'),
      modifiedGmt: trimmed('post_modified_gmt'),
      guid: trimmed('guid'),
      attachmentUrl: trimmed('attachment_url'),
      terms: this.#terms,
      meta: this.#meta,
      comments: this.#comments,
      isTooLarge: this.#isTooLarge,
    };
  }

  /** @param names of the fields, which differ with the element that the term is */
  term(
    taxonomy: string,
    names: Readonly<Record<'slug' | 'name' | 'parent' | 'description', string>>,
  ): WxrTerm | null {
    if (this.#isTooLarge) return null;
    return {
      kind: 'term',
      taxonomy,
      slug: this.get(names.slug).trim(),
      name: this.get(names.name).trim(),
      parent: this.get(names.parent).trim(),
      description: this.get(names.description),
      meta: this.#meta,
    };
  }
}
