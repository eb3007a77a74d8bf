import {
  type Attachment,
  Attachments,
  type Call,
  Database,
  documentText,
  mayReadAttachment,
  type Post,
  Posts,
  rewriteIds,
  UrlMoves,
} from '@lyceum/core';
import { type AskedAttachments, DuplicateStore } from './duplicate-store.ts';
import type { Source } from './source.ts';

/** Attachments of what is copied, as far as the caller may read them. */
export class SourceAttachments {
  readonly #call: Call;
  readonly #source: Source;
  #used: Promise<readonly Attachment[]> | null = null;
  #own: Promise<readonly Attachment[]> | null = null;

  constructor(call: Call, source: Source) {
    this.#call = call;
    this.#source = source;
  }

  /**
   * Those that go to another site with the records: featured ones, those that belong to a record, and those that a
   * document names by address or id. Looked for once, for however many sites.
   */
  used(): Promise<readonly Attachment[]> {
    this.#used ??= this.#findUsed();
    return this.#used;
  }

  /** Those that belong to the records. */
  own(): Promise<readonly Attachment[]> {
    this.#own ??= this.#readable({ ids: [], parents: this.#records(), paths: [] });
    return this.#own;
  }

  #records(): readonly number[] {
    const { post, below } = this.#source;
    return [post.id, ...below];
  }

  async #findUsed(): Promise<readonly Attachment[]> {
    const ids = new Set<number>();
    const paths = new Set<string>();
    const finder = this.#fileFinder(paths);
    for (const id of this.#records()) {
      const record = await this.#call.get(Posts).find(this.#call.site.blog_id, id);
      if (!record) continue;
      if (record.featured_media !== 0) ids.add(record.featured_media);
      for (const text of textsOf(record)) {
        finder.collect(text);
        rewriteIds(text, (kinds, named) => {
          if (kinds.includes('attachment')) ids.add(named);
          return undefined;
        });
      }
    }
    return this.#readable({ ids: [...ids], parents: this.#records(), paths: [...paths] });
  }

  /** Notes every file of the site that a text names. */
  #fileFinder(found: Set<string>): UrlMoves {
    const { domain, path } = this.#call.site;
    return new UrlMoves([{ domain, path }], {
      to: { domain, path, origin: null },
      pages: false,
      file: (file) => {
        found.add(file);
        return null;
      },
    });
  }

  async #readable(asked: AskedAttachments): Promise<readonly Attachment[]> {
    const { blog_id } = this.#call.site;
    const sql = this.#call.get(Database).knex;
    const ids = await this.#call.get(DuplicateStore).attachments(sql, blog_id, asked);
    const found: Attachment[] = [];
    for (const id of ids) {
      const attachment = await this.#call.get(Attachments).find(blog_id, id);
      if (attachment && mayReadAttachment(this.#call, attachment.post)) found.push(attachment);
    }
    return found;
  }
}

/** The document, and the HTML that readers see where it is kept beside it. */
function textsOf(record: Post): readonly string[] {
  const document = documentText(record);
  return document === record.content ? [document] : [document, record.content];
}
