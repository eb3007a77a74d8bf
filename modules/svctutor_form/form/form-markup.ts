import { editPost, type Html, html, maxId, type Posts, type PostTypes } from '@lyceum/core';
import { formType, textsOf } from './form.ts';
import { type JsonObject, readObject } from './form-json.ts';

/** Who looks at a page on which a form stands; a call is one. */
export interface FormReader {
  readonly site: { readonly blog_id: number };
  /** null for nobody. */
  readonly user: { readonly id: number } | null;
  can(capability: string): boolean;
}

/** What the shortcode part may say of how the form behaves where it stands. Other keys are the builder's own. */
const knownKeys = {
  pausable: 'boolean',
  persistent: 'boolean',
  async: 'boolean',
  fullPage: 'boolean',
  width: 'string',
  height: 'string',
  css: 'string',
  className: 'string',
  placeholder: 'string',
} as const;

/** As scripts find it in an element's `dataset`, under the same name. */
const attributeOf = (key: string): string =>
  `data-${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The element in whose place a runner shows a form: what `[form id="12"]` stands for. */
export class FormMarkup {
  readonly #posts: Posts;
  readonly #types: PostTypes;

  constructor(posts: Posts, types: PostTypes) {
    this.#posts = posts;
    this.#types = types;
  }

  /** HTML; empty where the site has no such form, or none that the reader may see. */
  async render(reader: FormReader, id: number): Promise<string> {
    const type = this.#types.get(formType);
    if (!type || !reader.user || !Number.isInteger(id) || id < 1 || id > maxId) return '';
    const form = await this.#posts.find(reader.site.blog_id, id);
    if (form?.type !== formType || form.status === 'trash') return '';
    if (form.status !== 'publish' && !editPost(reader, form, type)) return '';
    const { runner, shortcode } = textsOf(form);
    const attributes = attributesOf(readObject(shortcode) ?? {});
    return html`<div data-svc-form="${String(id)}" data-runner="${runner}"${attributes}></div>`.text;
  }
}

function attributesOf(options: JsonObject): Html {
  let attributes = html``;
  for (const [key, type] of Object.entries(knownKeys)) {
    const value = Object.hasOwn(options, key) ? options[key] : undefined;
    if (typeof value === type) attributes = html`${attributes} ${attributeOf(key)}="${String(value)}"`;
  }
  return attributes;
}
