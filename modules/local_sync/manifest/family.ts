import type { SentPage } from './sent-page.ts';

type Kin = Pick<SentPage, 'key' | 'parent'>;

/** Pages in an order in which each comes after its parent, and those that lie below themselves. */
export interface Family<P extends Kin> {
  readonly ordered: readonly P[];
  readonly inCycles: ReadonlySet<string>;
}

/** Puts the pages of a manifest in order; otherwise they keep theirs. Linear, without recursion. */
export function familyOf<P extends Kin>(pages: readonly P[]): Family<P> {
  const byKey = new Map(pages.map((page) => [page.key, page]));
  const ordered: P[] = [];
  const inCycles = new Set<string>();
  const done = new Set<string>();
  for (const page of pages) {
    const line: P[] = [];
    const inLine = new Set<string>();
    let at: P | undefined = page;
    while (at && !done.has(at.key) && !inLine.has(at.key)) {
      line.push(at);
      inLine.add(at.key);
      at = at.parent === null ? undefined : byKey.get(at.parent);
    }
    if (at && inLine.has(at.key)) {
      const begin = line.indexOf(at);
      for (const one of line.slice(begin)) inCycles.add(one.key);
    }
    for (const one of line.reverse()) {
      done.add(one.key);
      ordered.push(one);
    }
  }
  return { ordered, inCycles };
}
