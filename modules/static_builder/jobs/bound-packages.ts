import type { BoundPackage, PackageFile } from '@lyceum/module/embed_packages';
import type { BuildFile } from '../file-store.ts';
import type { RevisionPage } from '../revision-store.ts';
import type { Work } from './work.ts';

/** Below this lie the files of all packages of the site. */
const folder = 'files/embed-packages/';

/** The packages of a course: where addresses of their files lead to in it. */
export class BoundPackages {
  readonly #base: string;
  readonly #packages: ReadonlyMap<number, number>;

  /** @param packages revision by id */
  constructor(siteUrl: string, packages: ReadonlyMap<number, number>) {
    this.#base = `${siteUrl}${folder}`;
    this.#packages = packages;
  }

  /** Stands for which packages there are, and with what in them. */
  get version(): string {
    return JSON.stringify([...this.#packages]);
  }

  /** Where a page finds the file at this address; null when it is none of a bound package. */
  at(url: string): string | null {
    if (!url.startsWith(this.#base)) return null;
    const [named = '', _revision, ...path] = url.slice(this.#base.length).split('/');
    const id = Number(named.slice(0, Math.max(0, named.indexOf('-'))));
    return this.#packages.has(id) && path.length > 0 ? `../${packageFolder(id)}${path.join('/')}` : null;
  }
}

const packageFolder = (id: number): string => `embed/${id}/`;

/** Files of one transaction. */
const batch = 50;

/** Copies the files of bound packages into the course. */
export async function collectPackages(work: Work, pages: readonly RevisionPage[]): Promise<BoundPackages> {
  const packages = await findPackages(work, pages);
  for (const { package_id, files } of packages.values()) {
    let some: PackageFile[] = [];
    for await (const file of files()) {
      some.push(file);
      if (some.length < batch) continue;
      await copyFiles(work, package_id, some);
      some = [];
    }
    await copyFiles(work, package_id, some);
  }
  const revisions = [...packages].map(([id, { revision }]) => [id, revision] as const);
  return new BoundPackages(work.place.site.url, new Map(revisions));
}

/** What the pages show, each package once; nothing where packages are off or not installed. */
async function findPackages(
  { place, job, build }: Work,
  pages: readonly RevisionPage[],
): Promise<ReadonlyMap<number, BoundPackage>> {
  if (!place.state.isOn('embed_packages')) return new Map();
  const { PackageFiles } = await import('@lyceum/module/embed_packages');
  const ids = pages.map(({ page_id }) => page_id);
  const bound = await job.get(PackageFiles).ofPages(build.blog_id, ids);
  return new Map(bound.map((one) => [one.package_id, one]));
}

async function copyFiles(work: Work, id: number, given: readonly PackageFile[]): Promise<void> {
  if (given.length === 0) return;
  const { parts, sql, now, before, job } = work;
  const paths = given.map(({ path }) => `${packageFolder(id)}${path}`);
  const done = await parts.files.of(sql, now, paths);
  const earlier = before ? await parts.files.of(sql, before, paths) : new Map();
  const files: BuildFile[] = [];
  for (const [index, { file_key, bytes, mime_type }] of given.entries()) {
    const path = paths[index] ?? '';
    if (done.has(path)) continue;
    job.signal.throwIfAborted();
    const same = earlier.get(path);
    if (same?.source === file_key && same.file_key !== null) {
      work.count(bytes);
      files.push(same);
      continue;
    }
    const open = await work.storage.read(file_key);
    if (open === null) throw new Error(`A file of package ${id} is missing.`);
    const stored = await work.store(open.stream, mime_type);
    const facts = { bytes: stored.bytes, sha256: stored.sha256, file_key: stored.key };
    files.push({ path, kind: 'package', page_id: null, source: file_key, mime_type, ...facts });
  }
  await work.step({ phase: 'media', current: 0, total: 0, write: (trx) => work.addFiles(trx, files) });
}
