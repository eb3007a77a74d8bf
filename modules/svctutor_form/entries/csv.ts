const quoted = /[",\r\n]/;

/** What a spreadsheet takes for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/;

/** A cell of RFC 4180 that no spreadsheet computes: it is shown as the text that it is. */
export function cell(text: string): string {
  const shown = formula.test(text) ? `'${text}` : text;
  return quoted.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

export const row = (texts: readonly string[]): string => `${texts.map(cell).join(',')}\r\n`;

/** Tells programs that the bytes are UTF-8. */
export const byteOrderMark = '\uFEFF';
