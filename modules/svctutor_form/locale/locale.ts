import { yup } from '@lyceum/core';
import { dayHalves, dayNames, monthNames } from './calendar-names.ts';
import { datePatterns, dateTimePatterns, timePatterns } from './date-patterns.ts';
import { tagAndLanguage } from './language-tag.ts';
import { numberParts } from './reference-times.ts';

const text = () => yup.string().defined();
const names = () => yup.array().of(text()).required();
const months = () => yup.object({ abbreviated: names(), narrow: names(), wide: names() }).required();
const days = () =>
  yup.object({ abbreviated: names(), narrow: names(), short: names(), wide: names() }).required();
const patterns = () => yup.object({ full: text(), long: text(), medium: text(), short: text() }).required();

/** What runners know of a language and a region. */
export const LocaleRecord = yup.object({
  locale: text(),
  domain: text(),
  direction: yup.string().oneOf(['ltr', 'rtl']).required(),
  countryCode: text(),
  country: text(),
  countryNative: text(),
  language: text(),
  languageNative: text(),
  translations: yup
    .object({
      months: yup.object({ formatted: months(), nominative: months() }).required(),
      days: yup.object({ formatted: days(), nominative: days() }).required(),
      time: yup.object({ AM: text(), PM: text() }).required(),
    })
    .required(),
  formats: yup
    .object({
      date: patterns(),
      time: patterns(),
      dateTime: patterns(),
      numbers: yup.object({ decimals: text(), grouping: text(), minus: text() }).required(),
    })
    .required(),
});

export type Locale = yup.InferType<typeof LocaleRecord>;

const standardLocale = 'en';

/** The nearest locale that the runtime has data of; null for a language without any. */
function known(tag: string): string | null {
  try {
    const [supported] = Intl.DateTimeFormat.supportedLocalesOf(tag);
    return supported === undefined ? null : new Intl.DateTimeFormat(supported).resolvedOptions().locale;
  } catch {
    // The form is right, but no such tag can be.
    return null;
  }
}

/** The locale of a tag, else of its language, else English. */
export function nearestLocale(tag: string): string {
  for (const candidate of tagAndLanguage(tag)) {
    const found = known(candidate);
    if (found !== null) return found;
  }
  return standardLocale;
}

/** As many as there are locales in the runtime's data. */
const kept = new Map<string, Locale>();

/** @param locale one that `nearestLocale` gave */
export function localeOf(locale: string): Locale {
  const found = kept.get(locale) ?? made(locale);
  kept.set(locale, found);
  return found;
}

type Directed = Intl.Locale & {
  getTextInfo?(): { readonly direction: 'ltr' | 'rtl' };
  readonly textInfo?: { readonly direction: 'ltr' | 'rtl' };
};

function directionOf(locale: Directed): 'ltr' | 'rtl' {
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction ?? 'ltr';
}

const nameOf = (inLocale: string, type: 'language' | 'region', code: string): string =>
  code === '' ? '' : (new Intl.DisplayNames([inLocale], { type, fallback: 'code' }).of(code) ?? code);

function made(tag: string): Locale {
  const parsed = new Intl.Locale(tag);
  const { language, region: countryCode = '' } = parsed;
  return {
    locale: tag,
    domain: language,
    direction: directionOf(parsed),
    countryCode,
    country: nameOf(standardLocale, 'region', countryCode),
    countryNative: nameOf(tag, 'region', countryCode),
    language: nameOf(standardLocale, 'language', language),
    languageNative: nameOf(tag, 'language', language),
    translations: {
      months: monthNames(tag),
      days: dayNames(tag),
      time: dayHalves(tag),
    } as unknown as Locale['translations'],
    formats: {
      date: datePatterns(tag),
      time: timePatterns(tag),
      dateTime: dateTimePatterns(tag),
      numbers: numberSigns(tag),
    },
  };
}

function numberSigns(locale: string): Locale['formats']['numbers'] {
  const parts = numberParts(locale, -1_234_567.8);
  const sign = (type: Intl.NumberFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  return { decimals: sign('decimal'), grouping: sign('group'), minus: sign('minusSign') };
}
