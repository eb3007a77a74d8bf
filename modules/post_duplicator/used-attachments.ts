import {
  type Attachment,
  Attachments,
  type Call,
  Database,
  MetaKeys,
  mayReadAttachment,
  NamePatterns,
  type Post,
  Posts,
  rewritePost,
  UrlMoves,
} from '@lyceum/core';
import { DuplicateStore } from './duplicate-store.ts';
import type { Source } from './source.ts';

/** What texts of records name of attachments. */
interface Named {
  readonly ids: Set<number>;
  readonly paths: Set<string>;
}

/** Notes every file of the site that a text names. */
function fileFinder(call: Call, found: Set<string>): UrlMoves {
  const { domain, path } = call.site;
  return new UrlMoves([{ domain, path }], {
    to: { domain, path, origin: null },
    pages: false,
    file: (file) => {
      found.add(file);
      return null;
    },
  });
}

/**
 * The attachments that go to another site with the records: featured ones, those that belong to a record, and those
 * that a text names, as far as the caller may read them.
 */
export async function usedAttachments(call: Call, { post, below }: Source): Promise<Attachment[]> {
  const ids = [post.id, ...below];
  const named: Named = { ids: new Set(), paths: new Set() };
  for (const id of ids) {
    const record = id === post.id ? post : await call.get(Posts).find(call.site.blog_id, id);
    if (record) collect(call, record, named);
  }
  return readable(call, { ids: [...named.ids], parents: ids, paths: [...named.paths] });
}

/** The attachments that belong to the records, as far as the caller may read them. */
export const ownAttachments = (call: Call, { post, below }: Source): Promise<Attachment[]> =>
  readable(call, { ids: [], parents: [post.id, ...below], paths: [] });

function collect(call: Call, record: Post, named: Named): void {
  if (record.featured_media !== 0) named.ids.add(record.featured_media);
  const finder = fileFinder(call, named.paths);
  rewritePost(record, call.get(MetaKeys).of('post', record.type), new NamePatterns([]), {
    newId: (kinds, id) => {
      if (kinds.includes('attachment')) named.ids.add(id);
      return undefined;
    },
    urls: (text) => finder.collect(text),
  });
}

async function readable(
  call: Call,
  asked: Parameters<DuplicateStore['attachments']>[2],
): Promise<Attachment[]> {
  const { blog_id } = call.site;
  const ids = await call.get(DuplicateStore).attachments(call.get(Database).knex, blog_id, asked);
  const found: Attachment[] = [];
  for (const id of ids) {
    const attachment = await call.get(Attachments).find(blog_id, id);
    if (attachment && mayReadAttachment(call, attachment.post)) found.push(attachment);
  }
  return found;
}
