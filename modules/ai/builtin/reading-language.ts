const cyrillic = /\p{Script=Cyrillic}/u;

/** Languages that are written in Cyrillic letters, and that PostgreSQL knows. */
const inCyrillic: ReadonlySet<string> = new Set(['ru', 'sr']);

/**
 * The language as which a question is read: the one that it is said to be in, unless its letters say otherwise. Who
 * reads Russian reads Latin words as English ones, so nothing is lost on a question in both.
 */
export function readingLanguage(lang: string, question: string): string {
  const [primary = ''] = lang.toLowerCase().split('-', 1);
  return cyrillic.test(question) && !inCyrillic.has(primary) ? 'ru' : lang;
}
