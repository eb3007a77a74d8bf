import type { ImageSize } from './image-size.ts';

const EXIF_BLOCK = 0xe1;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const EXIF = 0x45786966;
const ORIENTATION = 0x0112;
const SHORT = 3;

/** Reads segment after segment until the frame header. Throws a `RangeError` past the end of the head. */
export function jpegSize(view: DataView): ImageSize | null {
  let turned = false;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    at += 1;
    // Any number of 0xff may stand before a marker.
    if (marker === 0xff) continue;
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    const start = at + 1;
    const length = view.getUint16(start);
    if (length < 2) return null;
    if (isFrameHeader(marker)) {
      const height = view.getUint16(start + 3);
      const width = view.getUint16(start + 5);
      return turned ? { width: height, height: width } : { width, height };
    }
    if (marker === EXIF_BLOCK) turned ||= isTurned(segment(view, start + 2, length - 2));
    at = start + length;
  }
}

/** SOF0 to SOF15 without the tables (DHT, JPG, DAC) that lie between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function segment(view: DataView, start: number, length: number): DataView {
  return new DataView(view.buffer, view.byteOffset + start, Math.min(length, view.byteLength - start));
}

/** True for orientations 5 to 8, which show the picture on its side. A broken block counts for nothing. */
function isTurned(block: DataView): boolean {
  try {
    return orientation(block) >= 5;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function orientation(block: DataView): number {
  const none = 1;
  if (block.getUint32(0) !== EXIF || block.getUint16(4) !== 0) return none;
  const tiff = 6;
  const order = block.getUint16(tiff);
  if (order !== 0x4949 && order !== 0x4d4d) return none;
  const little = order === 0x4949;
  const directory = tiff + block.getUint32(tiff + 4, little);
  const entries = block.getUint16(directory, little);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (block.getUint16(entry, little) !== ORIENTATION) continue;
    const value = block.getUint16(entry + 8, little);
    return block.getUint16(entry + 2, little) === SHORT && value <= 8 ? value : none;
  }
  return none;
}
