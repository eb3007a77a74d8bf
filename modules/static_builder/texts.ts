/**
 * Text without control characters, half surrogate pairs and the two points that no XML may hold. Line ends and tabs
 * stay: they are what a comment of several lines is made of.
 */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '')
    .replaceAll(/\p{Surrogate}/gu, '');

/** The same in one line: for names and titles. */
export const oneLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ').trim();
