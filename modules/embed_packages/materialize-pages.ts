import {
  type BroughtPost,
  type Call,
  callerOf,
  Database,
  fail,
  HostSettings,
  invalidParams,
  isCoded,
  type Post,
  PostBatches,
  PostLinks,
  Terms,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { auditPackage } from './audit-package.ts';
import { BindingStore } from './binding-store.ts';
import { ContentStore } from './content-store.ts';
import { checkPage, lockPackage } from './find-package.ts';
import { siteLanguage } from './language.ts';
import type { Package, PackageDocument } from './package.ts';
import { stemOf } from './package-path.ts';

/** Documents that one call may name, or mean. */
export const mostPaths = 500;

/** Posts that are written at once. */
const atOnce = 100;

export interface MaterializeWish {
  readonly paths: readonly string[] | undefined;
  readonly status: 'draft' | 'publish';
  readonly parent_id: number | undefined;
  readonly section_id: number | undefined;
}

interface Placed extends PackageDocument {
  readonly position: number;
}

/**
 * Makes a page for each document that has none yet: all in one transaction, and of two at once the second finds what
 * the first has made.
 * @throws `rest_forbidden`, `embed_packages_not_found`, `embed_packages_no_content`, `rest_invalid_param`,
 *   `embed_packages_page_not_found`
 */
export async function materializePages(call: Call, id: number, wish: MaterializeWish) {
  if (wish.status === 'publish' && !call.can('publish_pages')) fail('rest_forbidden');
  const { posts, existing } = await call.get(Database).transaction(async (trx) => {
    const source = await lockPackage(trx, call, id);
    if (source.revision === 0) fail('embed_packages_no_content');
    const wanted = chosen(await call.get(ContentStore).documents(trx, source), wish.paths);
    if (wish.parent_id !== undefined) await checkPage(call, wish.parent_id, trx);
    if (wish.section_id !== undefined) await checkSection(trx, call, wish.section_id);
    const pages = await pagesByPath(trx, call, source);
    const missing = wanted.filter(({ path }) => !pages.has(path));
    const made = await makePages(trx, call, source, missing, wish);
    if (made.length > 0) {
      const page_ids = made.map(({ post }) => post.id);
      await auditPackage(trx, call, 'materialize', source, { page_ids });
    }
    call.signal.throwIfAborted();
    const known = wanted.flatMap(({ path }) => {
      const page_id = pages.get(path);
      return page_id === undefined ? [] : [{ page_id, path }];
    });
    return { posts: made, existing: known };
  });
  const links = await call.get(PostLinks).permalinks(
    call.site,
    posts.map(({ post }) => ({ ...post, parent_id: wish.parent_id ?? 0 })),
  );
  const created = posts.map(({ post, path }) => {
    const { id: page_id, title, slug } = post;
    return { page_id, path, title, slug, url: links.get(page_id) ?? '' };
  });
  return { package_id: id, created, existing, total: created.length + existing.length };
}

/** @throws `rest_invalid_param` naming `paths` */
function chosen(documents: readonly PackageDocument[], paths: readonly string[] | undefined): Placed[] {
  const placed = documents.map((document, position) => ({ ...document, position }));
  const wanted = paths && new Set(paths);
  const found = wanted ? placed.filter(({ path }) => wanted.has(path)) : placed;
  if (wanted && found.length < wanted.size) invalidParams({ paths: 'must be documents of the package' });
  if (found.length > mostPaths) {
    invalidParams({ paths: `must name at most ${mostPaths} documents; the package has ${documents.length}` });
  }
  return found;
}

async function checkSection(trx: Knex.Transaction, call: Call, id: number): Promise<void> {
  const term = await call.get(Terms).find({ blog_id: call.site.blog_id }, id, trx);
  if (term?.taxonomy !== 'course_section') invalidParams({ section_id: 'must be a section of the site' });
}

/** The page of each document that has one; a page that shows the entry, whichever that is, shows this one now. */
async function pagesByPath(
  trx: Knex.Transaction,
  call: Call,
  source: Package,
): Promise<ReadonlyMap<string, number>> {
  const pages = new Map<string, number>();
  for (const { path, page_id } of await call.get(BindingStore).livePages(trx, [source.id])) {
    const document = path ?? source.entry ?? '';
    if (!pages.has(document)) pages.set(document, page_id);
  }
  return pages;
}

interface Made {
  readonly post: Post;
  readonly path: string;
}

async function makePages(
  trx: Knex.Transaction,
  call: Call,
  source: Package,
  documents: readonly Placed[],
  wish: MaterializeWish,
): Promise<Made[]> {
  const { blog_id } = call.site;
  const batches = call.get(PostBatches);
  const made: Made[] = [];
  for (let at = 0; at < documents.length; at += atOnce) {
    const some = documents.slice(at, at + atOnce);
    const posts = await batches.create(
      trx,
      call,
      some.map((document) => pageOf(call, document, wish)),
    );
    for (const [index, post] of posts.entries()) {
      // What a rule of another module refuses undoes all of it.
      if (isCoded(post)) throw post;
      made.push({ post, path: some[index]?.path ?? '' });
    }
    const parent_id = wish.parent_id ?? 0;
    const links = posts.map((post) => ({ id: isCoded(post) ? 0 : post.id, parent_id, featured_media: 0 }));
    if (parent_id !== 0) await batches.link(trx, call, links);
    const own = { blog_id, package_id: source.id, materialized: true };
    await call.get(BindingStore).insertMany(
      trx,
      made.slice(at).map(({ post, path }) => ({ ...own, page_id: post.id, path })),
    );
  }
  return made;
}

function pageOf(
  call: Call,
  { path, title, lang, position }: Placed,
  { status, section_id }: MaterializeWish,
): BroughtPost {
  const settings = call.get(HostSettings);
  const languages = settings.value<readonly string[]>(call.state, 'languages');
  return {
    type: 'page',
    status,
    title,
    slug: title || stemOf(path),
    content: '',
    menu_order: position,
    author_id: callerOf(call).id,
    lang: siteLanguage(lang, languages) ?? settings.value<string>(call.state, 'default_lang'),
    modified_at: call.now().toISOString(),
    trashed: false,
    ...(section_id === undefined ? {} : { terms: { course_section: [section_id] } }),
  };
}
