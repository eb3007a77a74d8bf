/** Languages in which the host has words for mails and pages of its own. */
export const languages = ['en', 'ru'] as const;
/** One of them. */
export type Language = (typeof languages)[number];

/** Words in each language that the host speaks. */
export type Words<T> = Readonly<Record<Language, T>>;

/** The language of a tag such as `ru`, `ru-RU` or `ru_RU`, if the host speaks it. */
export function spokenIn(tag: string): Language | null {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/, 1);
  return languages.find((language) => language === primary) ?? null;
}

/**
 * The language in which to write to somebody: the one that his account names, else the site's, else English. Every
 * account begins with `en`, so that alone is no choice and does not outweigh the site.
 */
export function languageFor(locale: string, siteLanguage: string): Language {
  const own = spokenIn(locale);
  return (own === 'en' ? null : own) ?? spokenIn(siteLanguage) ?? 'en';
}

const preference = /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4}) ?(?:; ?q=([01](?:\.\d{1,3})?))?$/i;

/** The language of a page for a browser that wants these (`Accept-Language`), else the site's, else English. */
export function languageWanted(accepted: string, siteLanguage: string): Language {
  const wanted = accepted
    .slice(0, 500)
    .split(',')
    .flatMap((entry) => {
      const [, tag = '', quality = '1'] = preference.exec(entry.trim()) ?? [];
      const language = spokenIn(tag);
      return language && Number(quality) > 0 ? [{ language, quality: Number(quality) }] : [];
    })
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.language ?? spokenIn(siteLanguage) ?? 'en';
}

/** A time in words, in whole minutes: "15 minutes", "1 day 2 hours". At least a minute. */
export function timeInWords(language: Language, seconds: number): string {
  const total = Math.max(1, Math.ceil(seconds / 60));
  const parts = { day: Math.floor(total / 1440), hour: Math.floor((total % 1440) / 60), minute: total % 60 };
  return Object.entries(parts)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    )
    .join(' ');
}
