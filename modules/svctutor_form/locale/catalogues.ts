import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type InstalledModule, isPlainObject, type SiteState, type State } from '@lyceum/core';
import { tagAndLanguage } from './language-tag.ts';

/** The plural of a message, or null; then its translations, one for each number. */
export type Message = readonly [string | null, ...string[]];

/** What `""` says of the others. */
export type Header = Readonly<Record<string, string>>;

/** Gettext JSON: the header under `""`, messages under their English, or under `<context>\u0004<English>`. */
export type Catalogue = Readonly<Record<string, Message | Header>>;

/** Catalogues of one module by `<context>-<language>` in lower case. */
type Shelf = ReadonlyMap<string, Catalogue>;

const fileForm = /^([a-z][a-z0-9-]{0,63}-[A-Za-z]{2,4}(?:[_-][A-Za-z0-9]{2,4}){0,2})\.json$/;
const ownId = 'svctutor_form';
const largestFile = 4 * 1024 * 1024;

/**
 * Translations that modules bring in their folder `translations`, a file `<context>-<language>.json` each. Every
 * module may add to every context. A package's files are read once, and again when another version of it is loaded.
 */
export class Catalogues {
  readonly #state: State;
  readonly #shelves = new WeakMap<InstalledModule, Promise<Shelf>>();

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * What the modules that are on for the site have for the tag, else for its language; null when that is nothing.
   * Where two translate the same message, this module counts, else the first one by id.
   */
  async find(
    site: Pick<SiteState, 'isOn'>,
    context: string,
    tag: string,
  ): Promise<{ readonly language: string; readonly catalogue: Catalogue } | null> {
    const modules = [...this.#state.modules.values()]
      .filter(({ id }) => site.isOn(id))
      .sort((some, other) => Number(other.id === ownId) - Number(some.id === ownId));
    const shelves = await Promise.all(modules.map((module) => this.#shelf(module)));
    for (const language of tagAndLanguage(tag)) {
      const name = `${context}-${language}`.toLowerCase();
      const found = shelves.map((shelf) => shelf.get(name)).filter((catalogue) => catalogue !== undefined);
      if (found.length > 0) return { language, catalogue: Object.assign({}, ...found.toReversed()) };
    }
    return null;
  }

  /** Says English messages of a context in a language, or in English. */
  async speaker(
    site: Pick<SiteState, 'isOn'>,
    context: string,
    tag: string,
  ): Promise<(message: string) => string> {
    const catalogue = (await this.find(site, context, tag))?.catalogue ?? {};
    return (message) => {
      const said = Object.hasOwn(catalogue, message) ? catalogue[message] : undefined;
      return (Array.isArray(said) && said[1]) || message;
    };
  }

  #shelf(module: InstalledModule): Promise<Shelf> {
    const kept = this.#shelves.get(module) ?? readShelf(module.folder);
    this.#shelves.set(module, kept);
    return kept;
  }
}

async function readShelf(folder: string): Promise<Shelf> {
  const place = path.join(folder, 'translations');
  const names = await readdir(place).catch(() => []);
  const shelf = new Map<string, Catalogue>();
  for (const name of names.sort()) {
    const key = fileForm.exec(name)?.[1];
    const catalogue = key && (await readCatalogue(path.join(place, name)));
    if (catalogue) shelf.set(key.replaceAll('_', '-').toLowerCase(), catalogue);
  }
  return shelf;
}

/** The messages of a file that are some; null for a file that is no catalogue, which harms no other. */
async function readCatalogue(file: string): Promise<Catalogue | null> {
  try {
    if ((await stat(file)).size > largestFile) return null;
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isPlainObject(read)) return null;
    const entries = Object.entries(read).filter(([key, value]) =>
      key === '' ? isPlainObject(value) : isMessage(value),
    );
    return Object.fromEntries(entries) as Catalogue;
  } catch {
    return null;
  }
}

const isMessage = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every((part, at) => typeof part === 'string' || (at === 0 && part === null));
