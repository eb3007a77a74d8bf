import type { BuildFile } from '../file-store.ts';
import type { RevisionPage } from '../revision-store.ts';
import type { Work } from './work.ts';

/** A package that a page of the course shows. */
export interface BoundPackage {
  readonly package_id: number;
  /** Address of the folder of its files, with a slash at its end. */
  readonly url: string;
  /** Another word for other content. */
  readonly version: string;
  readonly files: AsyncIterable<PackageFile> | Iterable<PackageFile>;
}

/** A stored file of a package. */
export interface PackageFile {
  /** Below the folder of the package. */
  readonly path: string;
  readonly file_key: string;
  readonly bytes: number;
  readonly mime_type: string;
}

/** The packages of a course: where addresses of their files lead to in it. */
export class BoundPackages {
  readonly #packages: readonly Pick<BoundPackage, 'package_id' | 'url' | 'version'>[];

  constructor(packages: readonly Pick<BoundPackage, 'package_id' | 'url' | 'version'>[]) {
    this.#packages = packages;
  }

  /** Stands for which packages there are, and with what in them. */
  get version(): string {
    return JSON.stringify(this.#packages.map(({ package_id, url, version }) => [package_id, url, version]));
  }

  /** Where a page finds the file at this address; null when it is none of a bound package. */
  at(url: string): string | null {
    const found = this.#packages.find((one) => url.startsWith(one.url));
    return found ? `../${packageFolder(found)}${url.slice(found.url.length)}` : null;
  }
}

const packageFolder = ({ package_id }: Pick<BoundPackage, 'package_id'>): string => `embed/${package_id}/`;

/** Files of one transaction. */
const batch = 50;

/** Copies the files of bound packages into the course. */
export async function collectPackages(work: Work, pages: readonly RevisionPage[]): Promise<BoundPackages> {
  const packages = await findPackages(work, pages);
  for (const one of packages) {
    let paths: PackageFile[] = [];
    for await (const file of one.files) {
      paths.push(file);
      if (paths.length >= batch) {
        await copyFiles(work, one, paths);
        paths = [];
      }
    }
    await copyFiles(work, one, paths);
  }
  return new BoundPackages(packages);
}

/** Nobody offers packages here. */
async function findPackages(_work: Work, _pages: readonly RevisionPage[]): Promise<readonly BoundPackage[]> {
  return [];
}

async function copyFiles(work: Work, one: BoundPackage, given: readonly PackageFile[]): Promise<void> {
  if (given.length === 0) return;
  const { parts, sql, now, before, job } = work;
  const paths = given.map(({ path }) => `${packageFolder(one)}${path}`);
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
    if (open === null) throw new Error(`A file of package ${one.package_id} is missing.`);
    const stored = await work.store(path, open.stream, mime_type);
    const facts = { bytes: stored.bytes, sha256: stored.sha256, file_key: stored.key };
    files.push({ path, kind: 'package', page_id: null, source: file_key, mime_type, ...facts });
  }
  await work.step({ phase: 'media', current: 0, total: 0, write: (trx) => work.addFiles(trx, files) });
}
