/** Longest title. */
const longest = 500;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The suffix with a number in it, before its closing bracket if it has one: `(copy 2)`. */
function numberedSuffix(suffix: string, number: number): string {
  if (number < 2) return suffix;
  return suffix.endsWith(')') ? `${suffix.slice(0, -1)} ${number})` : `${suffix} ${number}`;
}

/** The title without the suffix, numbered or not, that an earlier copy gave it. */
export function titleBase(title: string, suffix: string): string {
  if (suffix === '') return title;
  const bracket = suffix.endsWith(')') ? ')' : '';
  const stem = suffix.slice(0, suffix.length - bracket.length);
  const ending = new RegExp(`(?:^|[ ])${escaped(stem)}(?: \\d{1,9})?${escaped(bracket)}$`);
  return title.replace(ending, '');
}

/** Cut so that the tail fits, and never in the middle of a character. */
function withTail(base: string, tail: string): string {
  const cut = base.slice(0, longest - tail.length);
  const last = cut.charCodeAt(cut.length - 1);
  const whole = cut.length < base.length && last >= 0xd800 && last < 0xdc00 ? cut.slice(0, -1) : cut;
  return `${whole}${tail}`;
}

/** `Intro (copy)`, `Intro (copy 2)`… of the base. */
export function copyTitle(base: string, suffix: string, number: number): string {
  const words = numberedSuffix(suffix, number);
  return base === '' ? words : withTail(base, ` ${words}`);
}

/** A wanted title of the so manieth copy of a batch: as it is, then `Title 2`… */
export const wantedTitle = (title: string, number: number): string =>
  number < 2 ? title : withTail(title, ` ${number}`);
