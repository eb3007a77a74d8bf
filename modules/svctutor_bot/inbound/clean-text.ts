const mostCharacters = 4_000;

const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text of a platform as it is kept: without control characters, white space around it, and whatever is too long. */
export function cleanText(given: string): string {
  const clean = given.replaceAll('\r\n', '\n').toWellFormed().replaceAll(controls, '').trim();
  if (clean.length <= mostCharacters) return clean;
  return [...clean.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join('').trim();
}
