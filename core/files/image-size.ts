import { avifSize } from './image-size-avif.ts';
import { jpegSize } from './image-size-jpeg.ts';

/** In pixels, as the picture is shown: a rotation that its header asks for is applied. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a JPEG, PNG, GIF, WebP or AVIF, from its first bytes and without decoding. Null when it is
 * none of these, is broken, or its size stands behind the head. It never throws; each step goes forward, so
 * the time is bounded by the head. The numbers are what the file claims, up to 4 billion: check them.
 */
export function imageSize(head: Uint8Array): ImageSize | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = readerOf(view)?.(view) ?? null;
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // DataView throws this past its end, which is how a cut or lying header shows.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Reader = (view: DataView) => ImageSize | null;

function readerOf(view: DataView): Reader | null {
  const first = view.getUint32(0);
  if (first >>> 8 === 0xffd8ff) return jpegSize;
  if (first === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) return pngSize;
  if (first === 0x47494638) return gifSize;
  if (first === 0x52494646 && view.getUint32(8) === 0x57454250) return webpSize;
  if (view.getUint32(4) === 0x66747970) return avifSize;
  return null;
}

const IHDR = 0x49484452;

function pngSize(view: DataView): ImageSize | null {
  if (view.getUint32(12) !== IHDR) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): ImageSize {
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

const VP8_LOSSY = 0x56503820;
const VP8_LOSSLESS = 0x5650384c;
const VP8_EXTENDED = 0x56503858;

function webpSize(view: DataView): ImageSize | null {
  const chunk = view.getUint32(12);
  if (chunk === VP8_EXTENDED) return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  if (chunk === VP8_LOSSLESS && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // The three bytes before the size begin every key frame; the two high bits of each number are a scale.
  if (chunk === VP8_LOSSY && view.getUint16(23) === 0x9d01 && view.getUint8(25) === 0x2a) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return null;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65536;
}
