import { yup } from '@lyceum/core';
import type { JsonPart } from './form.ts';

const mebibyte = 1024 * 1024;

export const longestDefinition = 4 * mebibyte;

/** Bytes of UTF-8 that each part may have. */
export const longestPart: Readonly<Record<JsonPart, number>> = {
  styles: mebibyte,
  l10n: mebibyte,
  hooks: 64 * 1024,
  trackers: 64 * 1024,
  shortcode: 64 * 1024,
};

/** A text that may have so many bytes; what it says is looked at later. */
export const jsonText = (most: number) =>
  yup
    .string()
    .test(
      'bytes',
      `must have at most ${most} bytes of UTF-8`,
      (text) => text === undefined || Buffer.byteLength(text) <= most,
    );
