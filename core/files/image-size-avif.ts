import type { ImageSize } from './image-size.ts';

interface Box {
  readonly type: string;
  /** Of the content, behind the header of the box. */
  readonly start: number;
  readonly end: number;
}

/** Full boxes begin with a version and flags. */
const FULL = 4;

/**
 * The size of the primary picture of an AVIF (or HEIF), turned as its properties ask. A file may hold more
 * pictures: thumbnails, transparency, tiles; the list of associations says which size is whose.
 * Throws a `RangeError` past the end of the head.
 */
export function avifSize(view: DataView): ImageSize | null {
  const meta = find(view, 0, view.byteLength, 'meta');
  if (meta === null) return null;
  const primary = find(view, meta.start + FULL, meta.end, 'pitm');
  const properties = find(view, meta.start + FULL, meta.end, 'iprp');
  if (primary === null || properties === null) return null;
  const container = find(view, properties.start, properties.end, 'ipco');
  const associations = find(view, properties.start, properties.end, 'ipma');
  if (container === null || associations === null) return null;
  const item =
    view.getUint8(primary.start) === 0
      ? view.getUint16(primary.start + FULL)
      : view.getUint32(primary.start + FULL);
  const wanted = propertiesOf(view, associations, item);
  return sizeFrom(view, container, wanted);
}

function sizeFrom(view: DataView, container: Box, wanted: ReadonlySet<number>): ImageSize | null {
  let size: ImageSize | null = null;
  let turned = false;
  let index = 0;
  for (const box of boxes(view, container.start, container.end)) {
    index += 1;
    if (!wanted.has(index)) continue;
    if (box.type === 'ispe')
      size = { width: view.getUint32(box.start + FULL), height: view.getUint32(box.start + FULL + 4) };
    if (box.type === 'irot') turned = (view.getUint8(box.start) & 1) === 1;
  }
  return size !== null && turned ? { width: size.height, height: size.width } : size;
}

/** The numbers, from 1, of the properties that belong to the item. */
function propertiesOf(view: DataView, { start, end }: Box, item: number): ReadonlySet<number> {
  const wanted = new Set<number>();
  const wideItem = view.getUint8(start) > 0;
  const wideIndex = (view.getUint8(start + 3) & 1) === 1;
  const entries = view.getUint32(start + FULL);
  let at = start + FULL + 4;
  for (let entry = 0; entry < entries && at < end; entry += 1) {
    const id = wideItem ? view.getUint32(at) : view.getUint16(at);
    at += wideItem ? 4 : 2;
    const count = view.getUint8(at);
    at += 1;
    for (let index = 0; index < count; index += 1) {
      // The highest bit says that the property is essential.
      const property = wideIndex ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f;
      at += wideIndex ? 2 : 1;
      if (id === item) wanted.add(property);
    }
  }
  return wanted;
}

function find(view: DataView, start: number, end: number, type: string): Box | null {
  for (const box of boxes(view, start, end)) if (box.type === type) return box;
  return null;
}

/** The boxes between two places; each takes at least its 8 bytes, so there are at most a head's worth. */
function* boxes(view: DataView, start: number, end: number): Generator<Box, void, undefined> {
  for (let at = start; at + 8 <= Math.min(end, view.byteLength); ) {
    const length = view.getUint32(at);
    // 0: to the end of the file; 1: 64 bits, which only the pictures' own data needs.
    const stop = length === 0 ? end : at + length;
    if (length !== 0 && length < 8) return;
    const name = [4, 5, 6, 7].map((offset) => view.getUint8(at + offset));
    yield { type: String.fromCharCode(...name), start: at + 8, end: stop };
    at = stop;
  }
}
