import { termKey } from './survey.ts';
import type { WxrTerm } from './wxr-record.ts';

/** Parents before their children. Those whose parents go round in a circle lose them. */
export function byLevel(terms: readonly WxrTerm[]): WxrTerm[][] {
  const byKey = new Map(terms.map((term) => [termKey(term.taxonomy, term.slug, term.name), term]));
  const levelOf = new Map<WxrTerm, number>();
  const levels: WxrTerm[][] = [];
  for (const term of terms) {
    // From the term up to one whose level is known, then down again.
    const chain = new Set<WxrTerm>();
    let above: WxrTerm | undefined = term;
    while (above && !levelOf.has(above) && !chain.has(above)) {
      chain.add(above);
      above = above.parent === '' ? undefined : byKey.get(termKey(above.taxonomy, above.parent, ''));
    }
    const isCircle = above !== undefined && !levelOf.has(above);
    let level = above && !isCircle ? (levelOf.get(above) ?? 0) + 1 : 0;
    for (const [index, next] of [...chain].toReversed().entries()) {
      const placed = isCircle && index === 0 ? { ...next, parent: '' } : next;
      levelOf.set(next, level);
      levels[level] ??= [];
      levels[level]?.push(placed);
      level += 1;
    }
  }
  return levels;
}
