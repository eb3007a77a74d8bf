const endOfSentence = '.!?…';

/**
 * The sentences of a text, verbatim: it is split at line ends, and at full stops, question and exclamation marks and
 * ellipses before white space.
 */
export function sentencesOf(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .flatMap(ofLine)
    .filter((sentence) => sentence !== '');
}

function ofLine(line: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let at = 1; at < line.length; at += 1) {
    if (!endOfSentence.includes(line[at - 1] as string) || !/\s/.test(line[at] as string)) continue;
    found.push(line.slice(from, at).trim());
    from = at;
  }
  return [...found, line.slice(from).trim()];
}
