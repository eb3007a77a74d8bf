import { type Call, Database, etagOf } from '@lyceum/core';
import type { Knex } from 'knex';
import { BindingStore } from './binding-store.ts';
import { ContentStore } from './content-store.ts';
import type { Package } from './package.ts';
import { filesUrl, fileUrl } from './package-address.ts';

function shown(call: Call, row: Package, boundPageIds: readonly number[]) {
  const { id, blog_id, title, slug, source, entry, revision, files, bytes, content_hash } = row;
  const isReady = revision > 0 && entry !== null;
  return {
    ...{ id, blog_id, title, slug, source },
    status: isReady ? 'ready' : 'empty',
    entry,
    url: isReady ? fileUrl(call.site, row, entry) : null,
    files_url: isReady ? filesUrl(call.site, row) : null,
    ...{ revision, files, bytes, content_hash },
    bound_page_ids: boundPageIds,
    author_id: row.author_id,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

/** Packages of a list: one query, however many they are. */
export async function presentPackages(call: Call, rows: readonly Package[]) {
  const ids = rows.map(({ id }) => id);
  const pages = await call.get(BindingStore).livePages(call.get(Database).knex, ids);
  return rows.map((row) =>
    shown(
      call,
      row,
      pages.filter(({ package_id }) => package_id === row.id).map(({ page_id }) => page_id),
    ),
  );
}

/** One package with its documents. */
export async function presentPackage(call: Call, row: Package, sql: Knex = call.get(Database).knex) {
  const bound = await call.get(BindingStore).livePages(sql, [row.id]);
  const documents = await call.get(ContentStore).documents(sql, row);
  const ids = bound.map(({ page_id }) => page_id);
  const pages = documents.map(({ path, title }) => ({ path, title, url: fileUrl(call.site, row, path) }));
  return { ...shown(call, row, ids), pages };
}

export type ShownPackage = Awaited<ReturnType<typeof presentPackage>>;

/** Changes whenever anything that the record shows does. */
export const packageEtag = (record: ShownPackage): string => etagOf(JSON.stringify(record));
