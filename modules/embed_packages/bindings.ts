import { type Call, Database, fail, invalidParams } from '@lyceum/core';
import type { Knex } from 'knex';
import { auditPackage } from './audit-package.ts';
import { BindingStore, type FoundBinding } from './binding-store.ts';
import { ContentStore } from './content-store.ts';
import { checkPage } from './find-package.ts';
import { fileUrl } from './package-address.ts';
import { PackageStore } from './package-store.ts';

const unbound = {
  package_id: null,
  path: null,
  path_missing: false,
  package_exists: false,
  title: null,
  url: null,
  materialized: false,
  updated_at: null,
};

/** The document that a binding shows: the bound one, or the entry where the package has no such any more. */
export const shownPath = ({ path, has_path, package: shown }: FoundBinding): string | null =>
  path !== null && has_path ? path : (shown?.entry ?? null);

function present(call: Call, pageId: number, binding: FoundBinding | undefined) {
  if (!binding) return { page_id: pageId, ...unbound };
  const { package_id, path, has_path, materialized, updated_at, package: shown } = binding;
  const document = shownPath(binding);
  return {
    page_id: pageId,
    package_id,
    path,
    path_missing: shown !== null && path !== null && !has_path,
    package_exists: shown !== null,
    title: shown?.title ?? null,
    url: shown && document !== null ? fileUrl(call.site, shown, document) : null,
    materialized,
    updated_at,
  };
}

async function read(call: Call, pageId: number, sql: Knex) {
  const [binding] = await call.get(BindingStore).find(sql, call.site.blog_id, [pageId]);
  return present(call, pageId, binding);
}

export type ShownBinding = Awaited<ReturnType<typeof read>>;

/** What the page shows. @throws `embed_packages_page_not_found` */
export async function readBinding(call: Call, page: number | null): Promise<ShownBinding> {
  const { knex } = call.get(Database);
  return read(call, await checkPage(call, page, knex), knex);
}

/** What a page is to show; without a path the entry. */
export interface BindingWish {
  readonly package_id: number;
  readonly path: string | null;
}

/** @throws `embed_packages_page_not_found`, `embed_packages_not_found`, `rest_invalid_param` */
export function bindPage(call: Call, page: number | null, wish: BindingWish): Promise<ShownBinding> {
  const { blog_id } = call.site;
  return call.get(Database).transaction(async (trx) => {
    const page_id = await checkPage(call, page, trx);
    const { package_id, path } = wish;
    // Locked: its documents stay until the binding is there.
    const shown = await call.get(PackageStore).lock(trx, blog_id, package_id);
    if (!shown) return fail('embed_packages_not_found');
    if (path !== null && !(await call.get(ContentStore).hasDocument(trx, shown, path))) {
      invalidParams({ path: 'must be a document of the package' });
    }
    const binding = { page_id, blog_id, package_id, path, materialized: false };
    if (await call.get(BindingStore).put(trx, binding)) {
      await auditPackage(trx, call, 'bind', shown, { page_id, path });
    }
    return read(call, page_id, trx);
  });
}

/** The page stays, and shows what it shows by itself. @throws `embed_packages_page_not_found` */
export function unbindPage(call: Call, page: number | null): Promise<{ deleted: boolean; page_id: number }> {
  return call.get(Database).transaction(async (trx) => {
    const pageId = await checkPage(call, page, trx);
    const gone = await call.get(BindingStore).remove(trx, call.site.blog_id, pageId);
    if (gone) {
      const shown = await call.get(PackageStore).find(trx, call.site.blog_id, gone.package_id);
      const about = { id: gone.package_id, content_hash: shown?.content_hash ?? null };
      await auditPackage(trx, call, 'unbind', about, { page_id: pageId, path: gone.path });
    }
    return { deleted: gone !== null, page_id: pageId };
  });
}
