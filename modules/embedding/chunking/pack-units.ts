import { sentencesOf } from './sentences.ts';
import { splitUnit } from './split-unit.ts';
import { countTokens } from './tokens.ts';

/** How long chunks are, in tokens. */
export interface ChunkSize {
  readonly most: number;
  readonly overlap: number;
}

const between = '\n\n';

const fits = (parts: readonly string[], most: number): boolean => countTokens(parts.join(between)) <= most;

/**
 * The units of one section as chunks: as many to a chunk as fit, in order. A further chunk begins with the last
 * sentences of the one before, so that what is said across the border is found.
 */
export function packUnits(units: readonly string[], { most, overlap }: ChunkSize): string[] {
  // Pieces of a long unit leave room for what comes before them.
  const room = overlap > 0 ? most - overlap - 1 : most;
  const pieces = units.flatMap((unit) => (countTokens(unit) <= most ? [unit] : splitUnit(unit, room)));
  const chunks: string[] = [];
  let open: string[] = [];
  for (const piece of pieces) {
    if (open.length > 0 && !fits([...open, piece], most)) {
      const chunk = open.join(between);
      chunks.push(chunk);
      open = lead(chunk, piece, most, overlap);
    }
    open.push(piece);
  }
  if (open.length > 0) chunks.push(open.join(between));
  return chunks;
}

/** The last whole sentences of a chunk, as many as may be repeated and fit before the piece that follows. */
function lead(chunk: string, piece: string, most: number, overlap: number): string[] {
  let found = '';
  for (const sentence of sentencesOf(chunk).reverse()) {
    const longer = `${sentence}${found}`;
    if (countTokens(longer.trim()) > overlap || !fits([longer.trim(), piece], most)) break;
    found = longer;
  }
  const text = found.trim();
  return text === '' ? [] : [text];
}
