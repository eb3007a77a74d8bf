import { formatOf, partOf, timeOf } from './reference-times.ts';

/** Patterns of CLDR, by length. */
export type Patterns = Readonly<Record<(typeof styles)[number], string>>;

const styles = ['full', 'long', 'medium', 'short'] as const;
type Style = (typeof styles)[number];

/** The runtime gives no patterns, only what they make of a time: of this one every field can be told apart. */
const time = timeOf(1, 3, 5);

const hourLetters: Readonly<Record<string, string>> = { h11: 'K', h12: 'h', h23: 'H', h24: 'k' };

const eachStyle = (patternOf: (style: Style) => string): Patterns => {
  const [full, long, medium, short] = styles.map(patternOf) as [string, string, string, string];
  return { full, long, medium, short };
};

/** As CLDR writes text in a pattern: words in quotes, where their letters could be taken for fields or look like it. */
const quoted = (text: string): string =>
  text.replaceAll("'", "''").replaceAll(/[\p{Script=Latin}\p{Script=Cyrillic}]+/gu, (word) => `'${word}'`);

/** One letter for a number as it is, two for one that is padded. */
const padded = (letter: string, value: string): string => letter.repeat(value.startsWith('0') ? 2 : 1);

function monthPattern(locale: string, value: string): string {
  if (/^\d+$/.test(value)) return padded('M', value);
  const within = (month: 'long' | 'short') =>
    partOf(formatOf(locale, { month, day: 'numeric' }), time, 'month');
  const alone = (month: 'long' | 'short') => formatOf(locale, { month }).format(time);
  if (value === within('long')) return 'MMMM';
  if (value === alone('long')) return 'LLLL';
  if (value === within('short')) return 'MMM';
  return value === alone('short') ? 'LLL' : 'MMMM';
}

/** Some locales have more than two parts of a day: then it is not "AM or PM". */
function dayPeriodPattern(format: Intl.DateTimeFormat): string {
  const morning = [1, 5, 10].map((hour) => partOf(format, timeOf(1, 3, hour), 'dayPeriod'));
  return new Set(morning).size === 1 ? 'a' : 'B';
}

function patternOf(locale: string, options: Intl.DateTimeFormatOptions): string {
  const format = formatOf(locale, options);
  const letters: Partial<Record<Intl.DateTimeFormatPartTypes, (value: string) => string>> = {
    weekday: () => 'EEEE',
    month: (value) => monthPattern(locale, value),
    day: (value) => padded('d', value),
    year: (value) => (value.length === 2 ? 'yy' : 'y'),
    era: () => 'G',
    hour: (value) => padded(hourLetters[format.resolvedOptions().hourCycle ?? 'h23'] ?? 'H', value),
    minute: (value) => padded('m', value),
    second: (value) => padded('s', value),
    dayPeriod: () => dayPeriodPattern(format),
    timeZoneName: () => (options.timeStyle === 'full' ? 'zzzz' : 'z'),
  };
  return format
    .formatToParts(time)
    .map(({ type, value }) => letters[type]?.(value) ?? quoted(value))
    .join('');
}

export const datePatterns = (locale: string): Patterns =>
  eachStyle((dateStyle) => patternOf(locale, { dateStyle }));

export const timePatterns = (locale: string): Patterns =>
  eachStyle((timeStyle) => patternOf(locale, { timeStyle }));

/** How a date, `{1}`, and a time, `{0}`, stand together: by the length of the date. */
export const dateTimePatterns = (locale: string): Patterns =>
  eachStyle((dateStyle) => {
    const [date, clock, both] = [
      { dateStyle },
      { timeStyle: 'short' },
      { dateStyle, timeStyle: 'short' },
    ].map((options) => formatOf(locale, options as Intl.DateTimeFormatOptions).format(time)) as [
      string,
      string,
      string,
    ];
    const between = (first: string, last: string): string | null =>
      both.startsWith(first) && both.endsWith(last) && both.length >= first.length + last.length
        ? quoted(both.slice(first.length, both.length - last.length))
        : null;
    const dateFirst = between(date, clock);
    if (dateFirst !== null) return `{1}${dateFirst}{0}`;
    const timeFirst = between(clock, date);
    return timeFirst === null ? '{1} {0}' : `{0}${timeFirst}{1}`;
  });
