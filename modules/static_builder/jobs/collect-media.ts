import { text as wholeText } from 'node:stream/consumers';
import { FileMissing, rewriteCssUrls } from '@lyceum/core';
import { findPlayer } from '../collect/find-player.ts';
import { isPlaylist, isStyleSheet, mediaPath } from '../collect/media-names.ts';
import { type PageReference, referenceKey } from '../collect/page-facts.ts';
import { shortened } from '../collect/scan-page.ts';
import { type SiteSource, SiteSources } from '../collect/site-sources.ts';
import type { BuildFile } from '../file-store.ts';
import type { NewEntry } from '../log-store.ts';
import type { Reference, Settled } from '../reference-store.ts';
import type { BoundPackages } from './bound-packages.ts';
import { fetchExternal } from './fetch-external.ts';
import { mostTextBytes, type Phase, type Work } from './work.ts';

/** References of one transaction. */
const batch = 50;
/** A long copy is told of when it is done, and not with those behind it. */
const longBatchMs = 1_000;

/** Style sheets import others; nobody does so deeper. */
const deepest = 5;

/** Whoever copies more at once could not be stopped within seconds. */
const mostCopiedBytes = 64 * 1024 * 1024;

/** A file that was brought into the course, or why it stays a link. */
export interface Brought {
  readonly settled: Settled;
  readonly file: BuildFile | null;
  readonly warning: string | null;
}

/** Brings what pages name into the course, each thing once. */
export class MediaCollection {
  readonly #work: Work;
  readonly #sources: SiteSources;
  /** What the published revision has of the references at hand, and of which bytes it was made. */
  readonly #earlier = new Map<string, { readonly source: string; readonly file: BuildFile }>();
  /** Style sheets that are being read: one that imports itself is not read again. */
  readonly #reading = new Set<string>();

  constructor(work: Work) {
    this.#work = work;
    this.#sources = new SiteSources(work);
  }

  /** Players first: they say which files they want. Then the files of the site. */
  async collectFiles(packages: BoundPackages): Promise<void> {
    await this.#each('player', 'media', (reference) => this.#player(reference));
    if (!this.#work.settings.withFiles) return this.#leave('file', 'media');
    await this.#each('file', 'media', async (reference) =>
      packages.at(reference.url) === null ? this.bring(reference, 0) : left(reference, null),
    );
  }

  async collectExternal(): Promise<void> {
    if (this.#work.settings.withExternal) {
      await this.#each('external', 'external', (reference) => this.bring(reference, 0));
    } else await this.#leave('external', 'external');
  }

  #leave(kind: Reference['kind'], phase: Phase): Promise<void> {
    const { parts, now } = this.#work;
    return this.#work.step({
      ...{ phase, current: 1, total: 1 },
      write: (trx) => parts.references.leave(trx, now, kind),
    });
  }

  async #each(
    kind: Reference['kind'],
    phase: Phase,
    bring: (reference: Reference) => Promise<Brought>,
  ): Promise<void> {
    const { parts, now, sql, job } = this.#work;
    for (;;) {
      const open = await parts.references.open(sql, now, kind, batch);
      if (open.length === 0) return;
      if (kind === 'file') await this.#lookBack(open);
      const done: Brought[] = [];
      const until = performance.now() + longBatchMs;
      for (const reference of open) {
        job.signal.throwIfAborted();
        done.push(await bring(reference));
        if (performance.now() > until) break;
      }
      await this.#record(phase, kind, done);
    }
  }

  /** What the published revision has of these, in two queries for all of them. */
  async #lookBack(open: readonly Reference[]): Promise<void> {
    const { parts, before, sql } = this.#work;
    this.#earlier.clear();
    if (before === null) return;
    const references = await parts.references.of(
      sql,
      before,
      open.map(({ key }) => key),
    );
    const paths = [...references.values()].flatMap(({ path }) => path ?? []);
    const files = await parts.files.of(sql, before, paths);
    for (const [key, { source, path }] of references) {
      const file = path === null ? undefined : files.get(path);
      if (file && source !== null) this.#earlier.set(key, { source, file });
    }
  }

  async #record(phase: Phase, kind: Reference['kind'], done: readonly Brought[]): Promise<void> {
    const { parts, now, sql } = this.#work;
    const kinds: Reference['kind'][] = phase === 'external' ? ['external'] : ['player', 'file'];
    const count = await parts.references.count(sql, now, kinds);
    const wanted = done.flatMap(({ settled }) => (kind === 'player' && settled.facts ? [settled.facts] : []));
    await this.#work.step({
      ...{ phase, current: count.all - count.open + done.length, total: count.all },
      entries: done.flatMap(({ warning }): NewEntry[] =>
        warning === null ? [] : [{ level: 'warning', step: warning }],
      ),
      write: async (trx) => {
        const files = wanted.flatMap(({ url, poster }) => (poster === '' ? [url] : [url, poster]));
        await parts.references.note(trx, now, files.map(fileReference));
        await this.#work.addFiles(trx, filesOf(done));
        await parts.references.settle(
          trx,
          now,
          done.map(({ settled }) => settled),
        );
      },
    });
  }

  async #player({ key, url }: Reference): Promise<Brought> {
    const player = await findPlayer(this.#work, this.#sources, url);
    const settled: Settled = {
      key,
      state: player ? 'found' : 'left',
      source: null,
      path: null,
      facts: player,
    };
    return { settled, file: null, warning: null };
  }

  /** One file of the site or of another host. */
  bring(reference: PageReference, depth: number): Promise<Brought> {
    return reference.kind === 'file'
      ? this.#bringFile(reference, depth)
      : fetchExternal(this.#work, reference, (text, base) => this.styleSheet(text, base, depth));
  }

  async #bringFile(reference: PageReference, depth: number): Promise<Brought> {
    const address = this.#work.addresses.read(reference.url, reference.url);
    const source = address.kind === 'file' ? await this.#sources.find(address.path) : null;
    if (source === null) return left(reference, `file_missing: ${shortened(reference.url)}`);
    if (isPlaylist(source.mime_type)) return left(reference, `stream_left: ${shortened(reference.url)}`);
    try {
      if (isStyleSheet(source.mime_type)) return await this.#copyStyleSheet(reference, source, depth);
      return (await this.#again(reference, source)) ?? (await this.#copy(reference, source));
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      return left(reference, `file_missing: ${shortened(reference.url)}`);
    }
  }

  /** What the published revision has of the same bytes is there already. */
  async #again(reference: PageReference, source: SiteSource): Promise<Brought | null> {
    const known = this.#earlier.get(reference.key);
    if (known?.source !== source.file_key || known.file.file_key === null) return null;
    return this.brought(reference, known.file, source.file_key);
  }

  async #copy(reference: PageReference, source: SiteSource): Promise<Brought> {
    const { storage, sql, parts, now } = this.#work;
    const known = source.sha256 === null ? null : mediaPath(source.sha256, source.mime_type, reference.url);
    const same = known === null ? null : (await parts.files.of(sql, now, [known])).get(known);
    if (same) return { settled: found(reference, same.path, source.file_key), file: null, warning: null };
    const key = this.#work.key();
    if (source.sha256 !== null && source.bytes <= mostCopiedBytes) {
      this.#work.count(source.bytes);
      await storage.copy(source.file_key, key);
      const file = { ...mediaFile(source.mime_type, source.sha256, reference.url), file_key: key };
      return this.#fresh(reference, { ...file, bytes: source.bytes }, source.file_key);
    }
    const open = await storage.read(source.file_key);
    if (open === null) throw new FileMissing(source.file_key);
    const stored = await this.#work.store(open.stream, source.mime_type);
    const file = { ...mediaFile(source.mime_type, stored.sha256, reference.url), file_key: stored.key };
    return this.#fresh(reference, { ...file, bytes: stored.bytes }, source.file_key);
  }

  #fresh(reference: PageReference, file: BuildFile, source: string): Brought {
    return { settled: found(reference, file.path, source), file, warning: null };
  }

  /** A file that is stored already, under the name that it has. It is counted like any other. */
  async brought(reference: PageReference, file: BuildFile, source: string): Promise<Brought> {
    const { sql, parts, now } = this.#work;
    const same = (await parts.files.of(sql, now, [file.path])).get(file.path);
    if (!same) this.#work.count(file.bytes);
    return { settled: found(reference, file.path, source), file: same ? null : file, warning: null };
  }

  async #copyStyleSheet(reference: PageReference, source: SiteSource, depth: number): Promise<Brought> {
    const open = source.bytes > mostTextBytes ? null : await this.#work.storage.read(source.file_key);
    if (open === null) return left(reference, `file_missing: ${shortened(reference.url)}`);
    const text = await wholeText(open.stream);
    const written = await this.styleSheet(text, reference.url, depth);
    const stored = await this.#work.storeWhole(written, source.mime_type);
    const file = { ...mediaFile(source.mime_type, stored.sha256, reference.url), file_key: stored.key };
    return this.#fresh(reference, { ...file, bytes: stored.bytes }, source.file_key);
  }

  /**
   * A style sheet as it stands in the course, beside the files that it names; these are brought with it.
   * @param base its own address
   */
  async styleSheet(text: string, base: string, depth: number): Promise<string> {
    const wanted = new Map<string, PageReference>();
    rewriteCssUrls(text, (address) => {
      const reference = this.#referenceOf(address, base);
      if (reference) wanted.set(reference.key, reference);
      return null;
    });
    const names =
      depth < deepest && !this.#reading.has(base) ? await this.#bringAll(wanted, base, depth) : new Map();
    return rewriteCssUrls(text, (address) => {
      const found_ = this.#work.addresses.read(address, base);
      if (found_.kind === 'own' || found_.kind === 'strange') return null;
      const reference = this.#referenceOf(address, base);
      const name = reference && names.get(reference.key);
      return `${name ?? found_.url}${found_.hash}`;
    });
  }

  #referenceOf(address: string, base: string): PageReference | null {
    const { kind, ...rest } = this.#work.addresses.read(address, base);
    if ((kind !== 'file' && kind !== 'external') || !('url' in rest)) return null;
    const { withFiles, withExternal } = this.#work.settings;
    if (kind === 'file' ? !withFiles : !withExternal) return null;
    return { key: referenceKey(kind, rest.url), kind, url: rest.url };
  }

  /** Names beside the style sheet, by key. */
  async #bringAll(wanted: ReadonlyMap<string, PageReference>, base: string, depth: number) {
    const { parts, now, sql, job } = this.#work;
    const names = new Map<string, string>();
    this.#reading.add(base);
    try {
      for (const reference of wanted.values()) {
        job.signal.throwIfAborted();
        const known = (await parts.references.of(sql, now, [reference.key])).get(reference.key);
        // One that names this one, or itself, keeps that link.
        if (this.#reading.has(reference.url)) continue;
        if (!known || known.state === 'open') {
          await parts.references.note(sql, now, [{ ...reference, page_id: 0 }]);
          await this.#record(reference.kind === 'file' ? 'media' : 'external', reference.kind, [
            await this.bring(reference, depth + 1),
          ]);
        }
        const path = (await parts.references.of(sql, now, [reference.key])).get(reference.key)?.path;
        if (path) names.set(reference.key, path.slice(path.lastIndexOf('/') + 1));
      }
    } finally {
      this.#reading.delete(base);
    }
    return names;
  }
}

const fileReference = (url: string) => ({
  key: referenceKey('file', url),
  kind: 'file' as const,
  url,
  page_id: 0,
});

const filesOf = (done: readonly Brought[]): BuildFile[] => {
  const byPath = new Map(done.flatMap(({ file }) => (file ? [[file.path, file] as const] : [])));
  return [...byPath.values()];
};

export const found = ({ key }: PageReference, path: string, source: string): Settled => ({
  ...{ key, state: 'found' as const, source, path },
});

export const left = ({ key }: PageReference, warning: string | null): Brought => ({
  settled: { key, state: 'left', source: null, path: null },
  file: null,
  warning,
});

export const mediaFile = (mime_type: string, sha256: string, url: string) => ({
  ...{ path: mediaPath(sha256, mime_type, url), kind: 'media' as const, page_id: null, source: null },
  ...{ sha256, mime_type },
});
