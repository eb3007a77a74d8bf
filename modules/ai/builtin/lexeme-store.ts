import type { Database } from '@lyceum/core';

const lexemes = {
  name: 'ai-lexemes',
  text: `select tsvector_to_array(to_tsvector($1::regconfig, one)) as lexemes
    from unnest($2::text[]) with ordinality as given (one, at) order by at`,
};

/** Russian prints ё as е as often as not, in questions more than in texts. */
const folded = (text: string): string => text.replaceAll('ё', 'е').replaceAll('Ё', 'Е');

/** The words of each text as PostgreSQL searches for them: without stop words, each once, in their basic form. */
export async function lexemesOf(
  db: Database,
  configuration: string,
  texts: readonly string[],
): Promise<ReadonlySet<string>[]> {
  const rows = await db.named<{ lexemes: string[] }>(lexemes, [configuration, texts.map(folded)]);
  return rows.map((row) => new Set(row.lexemes));
}
