import { createHash } from 'node:crypto';
import type { NewChunk } from '@lyceum/module/rag';
import { type ChunkSize, packUnits } from './pack-units.ts';
import { readSections } from './read-units.ts';
import { countTokens } from './tokens.ts';

/** A text to be cut, and what its vectors depend on beside it. */
export interface CutWish {
  readonly title: string;
  readonly html: string;
  readonly size: ChunkSize;
  /** Whoever makes the vectors, with all that makes them what they are. */
  readonly embedder: string;
}

/** The chunks of a document. The same document gives the same chunks, here and everywhere. */
export function cutDocument({ title, html, size, embedder }: CutWish): NewChunk[] {
  return readSections(html).flatMap(({ heading_path, units }) =>
    packUnits(units, size).map((content) => ({
      content,
      content_hash: createHash('md5').update(content, 'utf8').digest('hex'),
      embed_hash: createHash('sha256')
        .update(JSON.stringify([embedder, title, heading_path, content]), 'utf8')
        .digest('hex'),
      heading_path,
      token_count: countTokens(content),
    })),
  );
}

/** What is embedded of a chunk: where it stands, then what it says. */
export const embeddedText = (chunk: {
  readonly title: string;
  readonly heading_path: readonly string[];
  readonly content: string;
}): string =>
  [chunk.title, chunk.heading_path.join(' › '), chunk.content].filter((line) => line !== '').join('\n');
