/** PostgreSQL's text search configurations by language, of every server from version 14 on. */
const configurations: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nb: 'norwegian',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** The first part of a language tag, in lower case: `de` of `de-AT`. */
export const primaryLanguage = (tag: string): string => tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';

/** How PostgreSQL reads texts of this language; `simple` takes words as they stand. */
export function textConfiguration(tag: string): string {
  const language = primaryLanguage(tag);
  return Object.hasOwn(configurations, language) ? (configurations[language] as string) : 'simple';
}
