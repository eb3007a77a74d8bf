import { type Html, html } from '@lyceum/core';
import { languageTag } from '../interfaces/course-texts.ts';

const fromRightToLeft: ReadonlySet<string> = new Set(
  'ar arc ckb dv fa he ks nqo ps sd syr ug ur yi'.split(' '),
);

/** Attributes of an element whose text is in this language. */
export function languageAttributes(language: string): Html {
  const tag = languageTag(language);
  if (tag === 'und') return html` lang="" dir="auto"`;
  const isFromRight = fromRightToLeft.has(tag.split('-', 1)[0] ?? '');
  return html` lang="${tag}" dir="${isFromRight ? 'rtl' : 'ltr'}"`;
}

/** The same, where it differs from the language around; else nothing. */
export const otherLanguage = (language: string, around: string): Html =>
  languageTag(language) === languageTag(around) ? html`` : languageAttributes(language);
