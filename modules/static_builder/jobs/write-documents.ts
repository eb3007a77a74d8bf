import { createHash } from 'node:crypto';
import { type PageFacts, referenceKey } from '../collect/page-facts.ts';
import { type PageLinks, writePage } from '../collect/write-page.ts';
import type { BuildFile } from '../file-store.ts';
import { pageDocument } from '../player/page-document.ts';
import { cuesOf } from '../player/page-tracks.ts';
import type { Reference } from '../reference-store.ts';
import type { RevisionPage } from '../revision-store.ts';
import type { BoundPackages } from './bound-packages.ts';
import type { Work } from './work.ts';

/** Pages of one transaction: of those that are new no more than one is in memory. */
const batch = 50;

const htmlType = 'text/html';

/** Another frame of pages makes other documents of the same pages. */
const frameVersion = createHash('sha256')
  .update(pageDocument({ title: 't', language: 'en' }, 'b', ''))
  .digest('hex');

/** Where pages of the course lie, as pages write it, by what addresses know them by. */
export type PageNames = ReadonlyMap<string, string>;

/** Writes the documents of all pages; one that would be what the published revision has is taken from there. */
export async function writeDocuments(
  work: Work,
  pages: readonly RevisionPage[],
  packages: BoundPackages,
): Promise<void> {
  const names: PageNames = new Map(
    pages.map(({ permalink, href }) => [work.addresses.page(permalink), nameOf(href)]),
  );
  for (let at = 0; at < pages.length; at += batch) {
    work.job.signal.throwIfAborted();
    const files = await documentsOf(work, pages.slice(at, at + batch), names, packages);
    await work.step({
      ...{ phase: 'manifest', current: Math.min(at + batch, pages.length), total: pages.length + 1 },
      write: (trx) => work.addFiles(trx, files),
    });
  }
}

async function documentsOf(
  work: Work,
  pages: readonly RevisionPage[],
  names: PageNames,
  packages: BoundPackages,
): Promise<BuildFile[]> {
  const { parts, sql, build, now, before } = work;
  const facts = await parts.cache.facts(sql, build.blog_id, pages);
  const keys = [...facts.values()].flatMap(({ references }) => references.map(({ key }) => key));
  const references = new Map(await parts.references.of(sql, now, keys));
  const wanted = [...references.values()].flatMap(({ facts: player }) =>
    player ? [player.url, player.poster].filter((url) => url !== '') : [],
  );
  for (const [key, one] of await parts.references.ofFiles(sql, now, wanted)) references.set(key, one);
  const paths = pages.map(({ href }) => href);
  const done = await parts.files.of(sql, now, paths);
  const earlier = before ? await parts.files.of(sql, before, paths) : new Map<string, BuildFile>();
  const files: BuildFile[] = [];
  for (const page of pages) {
    if (done.has(page.href)) continue;
    work.job.signal.throwIfAborted();
    const own = facts.get(page.page_id);
    if (!own) throw new Error(`The rendering of page ${page.page_id} is gone.`);
    const links = linksOf(work, page, { references, names, packages });
    const source = sourceOf(page, own, { references, names, packages });
    const same = earlier.get(page.href);
    if (same?.source === source && same.file_key !== null) {
      work.count(same.bytes);
      files.push(same);
    } else files.push(await write(work, page, own, links, source));
  }
  return files;
}

async function write(
  work: Work,
  page: RevisionPage,
  facts: PageFacts,
  links: PageLinks,
  source: string,
): Promise<BuildFile> {
  const html = await work.parts.cache.html(work.sql, work.build.blog_id, page);
  if (html === null) throw new Error(`The rendering of page ${page.page_id} is gone.`);
  const written = facts.asItIs ? { html, tracks: [] } : writePage(html, links);
  const document = pageDocument(page, written.html, cuesOf(written.tracks));
  const { key, bytes, sha256 } = await work.storeWhole(document, htmlType);
  return {
    ...{ path: page.href, kind: 'page', page_id: page.page_id, source, file_key: key },
    ...{ bytes, sha256, mime_type: htmlType },
  };
}

interface Around {
  readonly references: ReadonlyMap<string, Reference>;
  readonly names: PageNames;
  readonly packages: BoundPackages;
}

function linksOf(
  work: Work,
  { permalink }: RevisionPage,
  { references, names, packages }: Around,
): PageLinks {
  return {
    base: permalink,
    addresses: work.addresses,
    fileAt: (key) => {
      const path = references.get(key)?.path;
      return path ? `../${path}` : null;
    },
    player: (key) => references.get(key)?.facts ?? null,
    pageAt: (page) => names.get(page) ?? null,
    packageAt: (url) => packages.at(url),
  };
}

/**
 * Stands for all that the document is made of: its rendering, what became of what it names, and the pages beside it,
 * since it may lead to any of them.
 */
function sourceOf(page: RevisionPage, { references: own }: PageFacts, around: Around): string {
  const { references, names, packages } = around;
  const became = own.map(({ key }) => {
    const { path, facts } = references.get(key) ?? {};
    return [key, path ?? null, facts ?? null];
  });
  const players = own.flatMap(({ key }) => {
    const player = references.get(key)?.facts;
    const files = player ? [player.url, player.poster] : [];
    return files.map((url) => references.get(referenceKey('file', url))?.path ?? null);
  });
  const parts = [
    frameVersion,
    page.hash,
    page.title,
    page.language,
    became,
    players,
    mapHash(names),
    packages.version,
  ];
  return createHash('sha256').update(JSON.stringify(parts), 'utf8').digest('hex');
}

const hashes = new WeakMap<PageNames, string>();

function mapHash(names: PageNames): string {
  const known = hashes.get(names);
  if (known !== undefined) return known;
  const made = createHash('sha256')
    .update(JSON.stringify([...names]), 'utf8')
    .digest('hex');
  hashes.set(names, made);
  return made;
}

const nameOf = (href: string): string => href.slice(href.lastIndexOf('/') + 1);
