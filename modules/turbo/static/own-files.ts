import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name: string): string =>
  readFileSync(new URL(`../front/${name}`, import.meta.url), { encoding: 'utf8' });

/** The script that every folder gets. */
export const script = read('turbo.js');

/** The styles that every page begins with. */
export const baseStyle = read('turbo.css');

/** Changes with either of them, and with this number where folders are made in another way. */
export const makerVersion = createHash('sha256').update(`1\0${script}\0${baseStyle}`).digest('hex');
