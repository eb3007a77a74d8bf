/** Longest name, as that of any term. */
export const longestName = 200;

/** One line of plain text: white space collapsed, other control characters dropped, none of it at either end. */
export const cleanName = (given: string): string =>
  given
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}+/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim();
