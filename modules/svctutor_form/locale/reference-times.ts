/**
 * Latin digits and the Gregorian calendar, whatever the locale counts in: a form holds numbers and dates as programs
 * write them.
 */
const inGregorianYears = (locale: string): string => `${locale}-u-ca-gregory-nu-latn`;

/** A format of the runtime's locale data. */
export const formatOf = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(inGregorianYears(locale), { timeZone: 'UTC', ...options });

/** How the locale writes numbers, in parts. */
export const numberParts = (locale: string, number: number): readonly Intl.NumberFormatPart[] =>
  new Intl.NumberFormat(inGregorianYears(locale)).formatToParts(number);

/** A time in the year 2013, whose first Sunday in February is the 3rd: single digits show what is padded. */
export const timeOf = (month: number, day: number, hour: number): Date =>
  new Date(Date.UTC(2013, month, day, hour, 5, 9));

/** The part of this type; empty when the format has none. */
export const partOf = (format: Intl.DateTimeFormat, time: Date, type: Intl.DateTimeFormatPartTypes): string =>
  format.formatToParts(time).find((part) => part.type === type)?.value ?? '';
