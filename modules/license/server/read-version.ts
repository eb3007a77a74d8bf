import { isPlainObject } from '@lyceum/core';
import { cleanText } from './clean-answer.ts';
import type { RawAnswer } from './license-server.ts';
import { readPhpTexts } from './php-texts.ts';

/** What a server says of the newest version of a product. */
export interface ProductVersion {
  readonly latest: string;
  readonly homepage: string | null;
  readonly changelog: string | null;
  readonly tested: string | null;
}

/** The answer to `get_version`; null for one that names no version. */
export function readVersion(answer: RawAnswer, key: string): ProductVersion | null {
  const text = (value: unknown, longest: number): string | null =>
    typeof value === 'string' && value !== '' ? cleanText(value, key, longest) : null;
  const latest = text(answer.new_version, 100) ?? text(answer.stable_version, 100);
  if (latest === null) return null;
  const homepage = text(answer.homepage, 2_000);
  return {
    latest,
    homepage: homepage !== null && /^https?:\/\//i.test(homepage) ? homepage : null,
    changelog: text(changelogOf(answer), 50_000),
    tested: text(answer.tested, 100),
  };
}

/** Sections are an object, or one that PHP serialized. */
function changelogOf({ sections, changelog }: RawAnswer): unknown {
  if (isPlainObject(sections)) return sections.changelog ?? changelog;
  if (typeof sections === 'string') return readPhpTexts(sections)?.get('changelog') ?? changelog;
  return changelog;
}
