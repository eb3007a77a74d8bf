import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Storage } from '../../core/files/storage.ts';
import type { TestHost } from '../kit/index.ts';

/** Writes pages and attachments with files of a few bytes, many at a time: what matters is how many there are. */
export async function fillSite(
  { host }: TestHost,
  blogId: number,
  { posts, files }: { readonly posts: number; readonly files: number },
): Promise<void> {
  const { knex } = host.db;
  const home = host.addresses.site({ domain: 'localhost', path: '/source/' });
  await knex.raw(
    `insert into posts (blog_id, type, status, title, slug, content, author_id, lang, hash, search)
     select :blogId, 'page', 'publish', 'Page ' || n, 'page-' || n,
       '<!-- wp:image {"id":' || n || '} --><p>Page ' || n || ' of <a href="' || :home || 'page-' || (n - 1) || '">it</a> '
         || repeat('word ', 100), 1, 'en', '', to_tsvector('simple', 'page ' || n)
     from generate_series(1, :posts) n`,
    { blogId, home, posts },
  );
  const storage = host.services.host(Storage);
  for (let n = 1; n <= files; n += 1) {
    const bytes = Buffer.from(`file ${n}`);
    const key = `sites/${blogId}/media/${n.toString(16).padStart(32, '0')}/file.txt`;
    await storage.write(key, Readable.from([bytes]), { limit: 100, contentType: 'text/plain' });
    const [row] = (await knex('posts')
      .insert({
        ...{ blog_id: blogId, type: 'attachment', status: 'publish', title: `File ${n}`, slug: `file-${n}` },
        ...{ author_id: 1, lang: 'en', hash: '', search: '' },
      })
      .returning('id')) as { id: number }[];
    await knex('attachments').insert({
      ...{ post_id: row?.id, blog_id: blogId, mime_type: 'text/plain', filename: 'file.txt', file_key: key },
      ...{ path: key.split('/').slice(2).join('/'), bytes: bytes.length },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }
}
