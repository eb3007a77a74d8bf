/** UTF-16 units that platforms take in one message. */
export const mostUnits = 4_096;

/**
 * A long text in parts: cut at the end of a line, else at a space, else wherever no character is torn. White space at
 * a cut is left out.
 */
export function splitText(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const end = cutOf(rest, most);
    const part = rest.slice(0, end).trimEnd();
    if (part !== '') parts.push(part);
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

function cutOf(text: string, most: number): number {
  // One more: a space right behind the last character that fits is as good as one before it.
  const line = text.lastIndexOf('\n', most);
  if (line > 0) return line;
  const space = text.lastIndexOf(' ', most);
  if (space > 0) return space;
  const last = text.charCodeAt(most - 1);
  const isTorn = last >= 0xd800 && last <= 0xdbff;
  return isTorn ? most - 1 : most;
}
