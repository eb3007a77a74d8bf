import { formatOf, partOf, timeOf } from './reference-times.ts';

type Width = 'long' | 'short' | 'narrow';

/** Names as they stand within a date, and alone. */
export interface Contexts<T> {
  readonly formatted: T;
  readonly nominative: T;
}

export interface MonthNames {
  readonly abbreviated: readonly string[];
  readonly narrow: readonly string[];
  readonly wide: readonly string[];
}

/** From Sunday on. */
export interface DayNames extends MonthNames {
  readonly short: readonly string[];
}

const months = Array.from({ length: 12 }, (_month, at) => timeOf(at, 15, 12));

/** The week of Sunday, 3 February. */
const days = Array.from({ length: 7 }, (_day, at) => timeOf(1, 3 + at, 12));

/** Alone. Some locales have but numbers for short months: their whole names say more. */
function aloneMonths(locale: string, month: Width): readonly string[] {
  const formats = [formatOf(locale, { month }), formatOf(locale, { month: 'long' })];
  return months.map((time) => firstWord(formats.map((format) => format.format(time))));
}

/** As in a date; where dates have the month as a number, as it is alone. */
function datedMonths(locale: string, month: Width): readonly string[] {
  const format = formatOf(locale, { month, day: 'numeric' });
  const alone = aloneMonths(locale, month);
  return months.map((time, at) => firstWord([partOf(format, time, 'month'), alone[at] ?? '']));
}

const firstWord = (names: readonly string[]): string =>
  names.find((name) => !/^\p{Nd}*$/u.test(name)) ?? names[0] ?? '';

export const monthNames = (locale: string): Contexts<MonthNames> => ({
  formatted: {
    abbreviated: datedMonths(locale, 'short'),
    narrow: datedMonths(locale, 'narrow'),
    wide: datedMonths(locale, 'long'),
  },
  nominative: {
    abbreviated: aloneMonths(locale, 'short'),
    narrow: aloneMonths(locale, 'narrow'),
    wide: aloneMonths(locale, 'long'),
  },
});

const aloneDays = (locale: string, weekday: Width): readonly string[] => {
  const format = formatOf(locale, { weekday });
  return days.map((time) => format.format(time));
};

function datedDays(locale: string, weekday: Width): readonly string[] {
  const format = formatOf(locale, { weekday, day: 'numeric', month: 'long' });
  return days.map((time) => partOf(format, time, 'weekday'));
}

/** The runtime gives no days of the width "short"; as in CLDR where it is missing, the abbreviated ones stand for it. */
export function dayNames(locale: string): Contexts<DayNames> {
  const names = (of: typeof aloneDays): DayNames => {
    const abbreviated = of(locale, 'short');
    return { abbreviated, narrow: of(locale, 'narrow'), short: abbreviated, wide: of(locale, 'long') };
  };
  return { formatted: names(datedDays), nominative: names(aloneDays) };
}

/** What stands for the halves of a day. */
export function dayHalves(locale: string): { readonly AM: string; readonly PM: string } {
  const format = formatOf(locale, { hour: 'numeric', minute: 'numeric', hourCycle: 'h12' });
  const half = (hour: number): string => partOf(format, timeOf(1, 3, hour), 'dayPeriod');
  return { AM: half(10), PM: half(22) };
}
