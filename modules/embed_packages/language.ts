/** The language of the site that a document's `lang` names: the very one, or without its region; null when none. */
export function siteLanguage(lang: string | null, languages: readonly string[]): string | null {
  if (lang === null) return null;
  for (let tag = lang.toLowerCase().replaceAll('_', '-'); tag !== ''; ) {
    const found = languages.find((language) => language.toLowerCase() === tag);
    if (found !== undefined) return found;
    tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')));
  }
  return null;
}
