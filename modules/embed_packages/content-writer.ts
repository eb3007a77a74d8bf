import { mimeOfExtension, type Storage } from '@lyceum/core';
import { documentFacts, headBytes } from './launch/document-facts.ts';
import type { PackageDocument, PackageFile } from './package.ts';
import { extensionAt, isDocument, stemOf } from './package-path.ts';

/** A file of new content: its bytes are made when they are asked for. */
export interface NewFile {
  readonly path: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** Where content is written. */
export interface Target {
  readonly storage: Storage;
  /** The package's folder. */
  readonly folder: string;
  readonly place: string;
  /** Bytes that one file may have. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Written {
  readonly files: readonly PackageFile[];
  readonly documents: readonly PackageDocument[];
  readonly bytes: number;
}

/** Files that are written at once: a disk spends most of the time of a small one on making it last. */
const atOnce = 8;

/**
 * Writes all files below a place of their own. When it throws, some may be there; whoever made the place removes it.
 * @param entry the document that comes first
 */
export async function writeContent(
  target: Target,
  files: readonly NewFile[],
  entry: string,
): Promise<Written> {
  const written: PackageFile[] = [];
  const documents: PackageDocument[] = [];
  const failed = new AbortController();
  const signal = AbortSignal.any([target.signal, failed.signal]);
  const queue = files.entries();
  const work = async (): Promise<void> => {
    for (const [at, file] of queue) {
      signal.throwIfAborted();
      const { stored, document } = await writeFile({ ...target, signal }, file, `${target.place}/${at + 1}`);
      written[at] = stored;
      if (document) documents.push(document);
    }
  };
  const workers = Array.from({ length: atOnce }, () =>
    work().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  // Nobody writes any more behind the back of whoever clears up; the first failure ended the others.
  await Promise.allSettled(workers);
  signal.throwIfAborted();
  documents.sort((a, b) => Number(b.path === entry) - Number(a.path === entry) || (a.path < b.path ? -1 : 1));
  return { files: written, documents, bytes: written.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function writeFile({ storage, folder, limit, signal }: Target, { path, bytes }: NewFile, key: string) {
  const mime_type = mimeOfExtension(extensionAt(path));
  const head = isDocument(path) ? new Head() : null;
  const source = head ? head.of(bytes()) : bytes();
  const stored = await storage.write(`${folder}/${key}`, source, { limit, contentType: mime_type, signal });
  const facts = head && documentFacts(head.bytes);
  return {
    stored: { path, file_key: key, bytes: stored.bytes, mime_type },
    document: facts && { path, title: facts.title || stemOf(path), lang: facts.lang },
  };
}

/** Keeps the first bytes of what goes by. */
class Head {
  #bytes = Buffer.alloc(0);

  get bytes(): Buffer {
    return this.#bytes;
  }

  async *of(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      const left = headBytes - this.#bytes.length;
      if (left > 0) this.#bytes = Buffer.concat([this.#bytes, piece.subarray(0, left)]);
      yield piece;
    }
  }
}
