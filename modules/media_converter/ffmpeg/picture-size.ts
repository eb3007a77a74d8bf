export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Even, as 4:2:0 wants it, and never enlarged. */
const even = (pixels: number): number => Math.max(2, 2 * Math.floor(Math.round(pixels) / 2));

/** The displayed picture with a shorter side of at most so many pixels, its shape kept. */
export function fitted({ width, height }: PictureSize, shorter: number): PictureSize {
  const scale = Math.min(1, shorter / Math.min(width, height));
  return { width: even(width * scale), height: even(height * scale) };
}

/** The displayed picture with this width at most, its shape kept. */
export function atWidth({ width, height }: PictureSize, wanted: number): PictureSize {
  const scale = Math.min(1, wanted / width);
  return { width: even(width * scale), height: even(height * scale) };
}
