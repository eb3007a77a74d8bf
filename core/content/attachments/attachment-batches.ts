import type { Knex } from 'knex';
import type { Actor } from '../../api/actor.ts';
import { type CodedError, isCoded } from '../../api/errors.ts';
import { cleanFileName, extensionOf } from '../../files/file-name.ts';
import { mimeOfExtension } from '../../files/mime-types.ts';
import { noFacts } from '../../media/media-probe.ts';
import type { Notices } from '../notices.ts';
import type { Post } from '../post.ts';
import { assignments, type BroughtPost } from '../post-batches.ts';
import { applied } from '../post-fields.ts';
import type { PostTermStore } from '../post-terms-store.ts';
import { onlyCoded, type PostWriter } from '../post-writer.ts';
import type { PostStore } from '../posts-store.ts';
import type { AttachmentRow } from './attachment.ts';
import { blankAttachment, titleOf } from './attachment-fields.ts';
import type { AttachmentStore } from './attachment-store.ts';

/** An attachment that comes with its history, and whose file lies elsewhere. */
export interface BroughtAttachment extends Omit<BroughtPost, 'type'> {
  /** Where its file is; empty when nobody knows. */
  readonly source_url: string;
  readonly alt: string;
}

export interface AttachmentBatchParts {
  readonly store: AttachmentStore;
  readonly posts: PostStore;
  readonly postTerms: PostTermStore;
  readonly writer: PostWriter;
  readonly notices: Notices;
  readonly now: () => Date;
}

/** Records of many attachments at a time, without their files. */
export class AttachmentBatches {
  readonly #parts: AttachmentBatchParts;

  constructor(parts: AttachmentBatchParts) {
    this.#parts = parts;
  }

  /**
   * Creates records on the actor's site, at most some hundred at a time. In the place of one that a listener refuses
   * stands the error. Terms must be such of the site, locked by this transaction.
   */
  async create(
    trx: Knex.Transaction,
    actor: Actor,
    brought: readonly BroughtAttachment[],
  ): Promise<(Post | CodedError)[]> {
    const { store, posts, postTerms, writer } = this.#parts;
    const ids = await posts.nextIds(trx, brought.length);
    const prepared: { readonly post: Post; readonly row: AttachmentRow }[] = [];
    const results = new Map<number, Post | CodedError>();
    for (const [at, given] of brought.entries()) {
      const row = rowOf(given);
      const post = await this.#prepare(trx, actor, ids[at] ?? 0, given, row).catch(onlyCoded);
      if (isCoded(post)) results.set(at, post);
      else prepared.push({ post, row });
    }
    const words = new Map(prepared.map(({ post, row }) => [post.id, [row.alt, titleOf(row.filename)]]));
    const written = await writer.insertMany(
      trx,
      prepared.map(({ post }) => post),
      words,
    );
    const inserted = prepared.flatMap(({ row }, at) => {
      const post = written[at];
      return post && !isCoded(post) ? [{ post, row }] : [];
    });
    await store.insertMany(trx, inserted);
    const all = brought.map((_given, at) => results.get(at) ?? (written.shift() as Post | CodedError));
    await postTerms.insertMany(trx, actor.site.blog_id, assignments(brought, all));
    if (inserted.some(({ post }) => post.status === 'publish'))
      await posts.touchSite(trx, actor.site.blog_id);
    return all;
  }

  async #prepare(
    trx: Knex.Transaction,
    actor: Actor,
    id: number,
    given: BroughtAttachment,
    { filename }: AttachmentRow,
  ): Promise<Post> {
    const { notices, now } = this.#parts;
    const { author_id, lang, modified_at, trashed } = given;
    const own = { id, blog_id: actor.site.blog_id, author_id, lang };
    const titled = { ...given, title: given.title || titleOf(filename) };
    const blank = blankAttachment(own, now().toISOString());
    const post = { ...applied(null, blank, titled, given.meta ?? {}), modified_at };
    const after: Post = trashed ? { ...post, status: 'trash', trashed_status: post.status } : post;
    await notices.send(trx, actor, { kind: 'post.writing', before: null, after });
    return after;
  }
}

function rowOf({ source_url, alt }: BroughtAttachment): AttachmentRow {
  const filename = cleanFileName(decoded(URL.parse(source_url)?.pathname ?? ''));
  const none = { path: null, file_key: null, bytes: null, sha256: null, grant_epoch: 0 };
  return {
    ...none,
    ...noFacts,
    mime_type: mimeOfExtension(extensionOf(filename)),
    filename,
    alt,
    source_url,
  };
}

/** Without percent-encoding, where that can be undone. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
