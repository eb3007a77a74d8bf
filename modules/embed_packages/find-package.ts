import { type Call, Database, fail, Posts } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Package } from './package.ts';
import { PackageStore } from './package-store.ts';

/** @throws `embed_packages_not_found` unless the package is one of the call's site */
export async function findPackage(
  call: Call,
  id: number,
  sql: Knex = call.get(Database).knex,
): Promise<Package> {
  return (await call.get(PackageStore).find(sql, call.site.blog_id, id)) ?? fail('embed_packages_not_found');
}

/** The same, locked. @throws `embed_packages_not_found` */
export async function lockPackage(trx: Knex.Transaction, call: Call, id: number): Promise<Package> {
  return (await call.get(PackageStore).lock(trx, call.site.blog_id, id)) ?? fail('embed_packages_not_found');
}

/** @throws `embed_packages_page_not_found` unless it is a page of the call's site outside the trash */
export async function checkPage(call: Call, id: number | null, sql: Knex): Promise<number> {
  const post = id === null ? null : await call.get(Posts).find(call.site.blog_id, id, sql);
  if (post?.type !== 'page' || post.status === 'trash') return fail('embed_packages_page_not_found');
  return post.id;
}
