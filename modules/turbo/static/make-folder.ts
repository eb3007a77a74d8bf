import { Readable } from 'node:stream';
import {
  type Call,
  CodedError,
  editorOf,
  FileMissing,
  type FoundUrl,
  fail,
  HtmlTree,
  inertHtml,
  isCoded,
  type PageRenderer,
  type Post,
  replaceUrls,
  type Storage,
  StorageFull,
  UnreasonableHtml,
} from '@lyceum/core';
import type { StaticLimits } from '../settings.ts';
import { composePage, placeholder } from './compose-page.ts';
import { baseStyle, script } from './own-files.ts';
import { takeStyles } from './page-styles.ts';
import type { NamedMedia, SiteMedia, Target } from './site-media.ts';
import {
  areaFolder,
  entryName,
  folderKey,
  type StaticContent,
  type StaticFile,
  scriptName,
  styleName,
} from './static-record.ts';

/** Files that are copied at a time. */
const copiesAtOnce = 8;

export interface FolderParts {
  readonly storage: Storage;
  readonly renderer: PageRenderer;
  readonly media: SiteMedia;
  readonly apiRoot: string;
}

/** A folder that was filled, and whether a piece of its page was not made that another time may be. */
export interface MadeFolder {
  readonly content: StaticContent;
  readonly lacksPiece: boolean;
}

/** Renders a page into a folder of the storage, in which nothing is yet. @throws `turbo_static_too_large` */
export async function makeFolder(
  parts: FolderParts,
  call: Call,
  page: Post,
  folder: string,
  limits: StaticLimits,
): Promise<MadeFolder> {
  const rendered = await parts.renderer.render(call, page, placeholder);
  const tree = readable(() => HtmlTree.read(rendered.html));
  const targets = await targetsOf(parts.media, call, tree);
  const budget = new Budget(limits);
  const media = new Map<string, NamedMedia>();
  for (const target of targets.values()) {
    if (target.kind !== 'media' || media.has(target.media.name)) continue;
    media.set(target.media.name, target.media);
    budget.take(target.media.bytes);
  }
  const key = folderKey(call.site.blog_id, folder);
  const copied = await copyAll(parts.storage, key, [...media.values()], call.signal);
  const missing = new Set<string>();
  replaceUrls(tree, ({ url }) => {
    const target = targets.get(url);
    if (target?.kind === 'media' && copied.has(target.media.name)) return target.media.name + target.fragment;
    if (target?.kind === 'media' || target?.kind === 'missing') missing.add(url);
    return target?.kind === 'elsewhere' ? target.url : null;
  });
  const style = takeStyles(tree);
  const body = readable(() => inertHtml(tree.write()));
  const { id, title, lang } = page;
  // The folder, the area and the segment of all files.
  const api = `../../../${parts.apiRoot}/`;
  const texts: readonly (readonly [string, string, string])[] = [
    [entryName, 'text/html', composePage({ id, title, lang, editor: editorOf(page), api, body })],
    [styleName, 'text/css', style === '' ? baseStyle : `${baseStyle}\n${style}\n`],
    [scriptName, 'text/javascript', script],
  ];
  for (const [, , text] of texts) budget.take(Buffer.byteLength(text));
  const files = new Map(copied);
  for (const [name, mime_type, text] of texts) {
    const options = { limit: limits.bytes, contentType: mime_type, signal: call.signal };
    const { bytes, sha256 } = await stored(() =>
      parts.storage.write(`${key}/${name}`, Readable.from([Buffer.from(text)]), options),
    );
    files.set(name, { bytes, sha256, mime_type });
  }
  const { placeholders, problems } = rendered;
  return {
    content: { files: Object.fromEntries(files), placeholders, missing: [...missing] },
    lacksPiece: problems.some(({ fault }) => fault === 'failed'),
  };
}

/** HTML of which no tree can be made is too much of it. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreasonableHtml) fail('turbo_static_too_large', { message: error.message });
    throw error;
  }
}

/** What each address of the page leads to. */
async function targetsOf(media: SiteMedia, call: Call, tree: HtmlTree): Promise<ReadonlyMap<string, Target>> {
  const found = new Map<string, FoundUrl>();
  replaceUrls(tree, (one) => {
    found.set(one.url, one);
    return null;
  });
  const areas = new Set<string>([areaFolder]);
  for (const { spec } of call.state.modules.values()) {
    for (const { folder } of spec?.areas ?? []) areas.add(folder);
  }
  const targets = new Map<string, Target>();
  for (const [url, one] of found) targets.set(url, await media.find(call.site, one, areas));
  return targets;
}

/** Copies the files; by name, those that were there. */
async function copyAll(
  storage: Storage,
  key: string,
  media: readonly NamedMedia[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StaticFile>> {
  const copied = new Map<string, StaticFile>();
  for (let at = 0; at < media.length; at += copiesAtOnce) {
    signal.throwIfAborted();
    await Promise.all(
      media.slice(at, at + copiesAtOnce).map(async (one) => {
        const file = await copyOne(storage, `${key}/${one.name}`, one, signal);
        if (file) copied.set(one.name, file);
      }),
    );
  }
  return copied;
}

async function copyOne(
  storage: Storage,
  key: string,
  { file_key, bytes, sha256, mime_type }: NamedMedia,
  signal: AbortSignal,
): Promise<StaticFile | null> {
  try {
    if (sha256 !== null) {
      await stored(() => storage.copy(file_key, key));
      return { bytes, sha256, mime_type };
    }
    const open = await stored(() => storage.read(file_key));
    if (open === null) return null;
    const options = { limit: open.bytes, contentType: mime_type, signal };
    const written = await stored(() => storage.write(key, open.stream, options));
    return { bytes: written.bytes, sha256: written.sha256, mime_type };
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

/** @throws `storage_unavailable` where the storage does not do it */
async function stored<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isCoded(error) || error instanceof FileMissing || error instanceof StorageFull) throw error;
    throw new CodedError('storage_unavailable', { cause: error });
  }
}

/** What a page may still have. */
class Budget {
  #files: number;
  #bytes: number;

  constructor({ files, bytes }: StaticLimits) {
    this.#files = files;
    this.#bytes = bytes;
  }

  take(bytes: number): void {
    this.#files -= 1;
    this.#bytes -= bytes;
    if (this.#files < 0 || this.#bytes < 0) fail('turbo_static_too_large');
  }
}
