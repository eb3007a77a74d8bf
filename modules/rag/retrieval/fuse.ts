/** A chunk and what it is worth among those found. */
export interface Scored {
  readonly id: number;
  readonly score: number;
}

/** Damps the first ranks, so that neither list alone decides. */
const damping = 60;

/** Reciprocal rank fusion of lists of ids, each best first; equal scores in the order of their ids. */
export function fuse(...lists: readonly (readonly number[])[]): Scored[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [at, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (damping + at + 1));
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
}
