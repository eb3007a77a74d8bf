import { createHash } from 'node:crypto';
import { html, PageRenderer, type Placeholder, type Post, PostLinks, sanitizeSlug } from '@lyceum/core';
import type { PageFacts, PageReference } from '../collect/page-facts.ts';
import { scanPage } from '../collect/scan-page.ts';
import type { NewEntry } from '../log-store.ts';
import type { CachedPage } from '../page-cache-store.ts';
import type { RevisionPage } from '../revision-store.ts';
import type { Work } from './work.ts';

/** Pages of one transaction: so many are held in memory, too. */
const batch = 40;

/** Characters of a slug that go into the name of a file. */
const longestSlug = 80;

/** Rises with every change of what is kept of a rendered page. */
const cacheVersion = 1;

interface Rendering {
  readonly post: Post;
  readonly permalink: string;
  readonly hash: string;
}

/** Renders the pages of the build, each that changed since somebody last did. How many there are in it. */
export async function renderPages(work: Work): Promise<number> {
  const { build, parts } = work;
  const done = await parts.revisions.pages(work.sql, work.now, 0, build.page_ids.length);
  let [rendered, kept, pages] = [0, 0, done.length];
  // What a run that was lost has noted stays as it is; a page that it skipped is looked at again.
  for (let at = done.at(-1)?.number ?? 0; at < build.page_ids.length; at += batch) {
    work.job.signal.throwIfAborted();
    const ids = build.page_ids.slice(at, at + batch);
    const made = await renderBatch(work, ids, at);
    rendered += made.rendered;
    kept += made.pages.length - made.rendered;
    pages += made.pages.length;
    const current = Math.min(at + batch, build.page_ids.length);
    const isLast = current === build.page_ids.length;
    const tally = isLast
      ? [{ level: 'info', step: `pages: ${rendered} rendered, ${kept} from the cache` } as const]
      : [];
    await work.step({
      ...{ phase: 'pages', current, total: build.page_ids.length, entries: [...made.entries, ...tally] },
      write: async (trx) => {
        await parts.cache.put(trx, build.blog_id, made.fresh);
        await parts.revisions.addPages(trx, work.now, made.pages);
        await parts.references.note(trx, work.now, made.references);
      },
    });
  }
  return pages;
}

async function renderBatch(work: Work, ids: readonly number[], at: number) {
  const { build, parts, job, place } = work;
  const posts = await parts.pages.whole(work.sql, build.blog_id, ids);
  const sections = await parts.pages.sections(work.sql, build.blog_id, ids);
  const found = ids.flatMap((id) => posts.get(id) ?? []);
  const { hostname, pathname } = new URL(place.site.url);
  const address = { blog_id: build.blog_id, domain: hostname, path: pathname };
  const permalinks = await job.get(PostLinks).permalinks(address, found);
  const renderings: Rendering[] = [];
  for (const post of found) {
    const permalink = permalinks.get(post.id) ?? place.site.url;
    const stamp = await job.get(PageRenderer).stamp(place, post);
    renderings.push({ post, permalink, hash: hashOf([cacheVersion, stamp, permalink]) });
  }
  const wanted = renderings.map(({ post, hash }) => ({ page_id: post.id, hash }));
  await parts.cache.meet(work.sql, build.blog_id, wanted);
  const known = await parts.cache.facts(work.sql, build.blog_id, wanted);
  const entries: NewEntry[] = [];
  const fresh: CachedPage[] = [];
  const pages: RevisionPage[] = [];
  const references: (PageReference & { page_id: number })[] = [];
  for (const [index, id] of ids.entries()) {
    const rendering = renderings.find(({ post }) => post.id === id);
    if (!rendering) {
      entries.push({ level: 'warning', step: `page_skipped: page ${id} is gone` });
      continue;
    }
    job.signal.throwIfAborted();
    const { post, permalink, hash } = rendering;
    let facts = known.get(id);
    if (!facts) {
      const made = await render(work, rendering);
      fresh.push({ page_id: id, hash, ...made });
      facts = made.facts;
    }
    entries.push(
      ...facts.warnings.map((step) => ({ level: 'warning' as const, step: `${step} (page ${id})` })),
    );
    references.push(...facts.references.map((one) => ({ ...one, page_id: id })));
    const section = sections.get(id);
    const number = at + index + 1;
    pages.push({
      ...{ number, page_id: id, hash, title: post.title, slug: post.slug, href: hrefOf(number, post.slug) },
      ...{ language: post.lang, permalink, modified_at: post.modified_at },
      section_id: section?.id ?? null,
      section_name: section ? (section.names[post.lang] ?? section.name) : null,
    });
  }
  return { entries, fresh, pages, references, rendered: fresh.length };
}

async function render(
  { job, place, addresses }: Work,
  { post, permalink }: Rendering,
): Promise<{ readonly html: string; readonly facts: PageFacts }> {
  const toLivePage = (_placeholder: Placeholder) =>
    html`<a data-live href="${permalink}">${post.title || permalink}</a>`;
  const rendered = await job.get(PageRenderer).render(place, post, toLivePage);
  const facts = scanPage(rendered.html, permalink, addresses);
  const warnings = [
    ...rendered.placeholders.map(({ shortcode }) => `dynamic_shortcode: ${cut(shortcode)} became a link`),
    ...rendered.problems.map(({ shortcode, message }) => `shortcode_failed: ${cut(shortcode)} ${message}`),
    ...facts.warnings,
  ];
  return { html: rendered.html, facts: { ...facts, warnings } };
}

const longestQuoted = 200;

const cut = (text: string): string =>
  text.length > longestQuoted ? `${text.slice(0, longestQuoted)}…` : text;

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts), 'utf8').digest('hex');

/** `pages/001-intro.html` */
function hrefOf(number: number, slug: string): string {
  return `pages/${String(number).padStart(3, '0')}-${sanitizeSlug(slug, longestSlug) || 'page'}.html`;
}
