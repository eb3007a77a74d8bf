/** What a sync has done so far: part of its cursor, and at the end its result. */
export interface Tally {
  readonly posts: number;
  readonly posts_changed: number;
  readonly posts_skipped: number;
  readonly chunks_created: number;
  readonly chunks_deleted: number;
  readonly chunks_embedded: number;
  readonly chunks_failed: number;
  readonly tokens: number;
}

export const nothingDone: Tally = {
  posts: 0,
  posts_changed: 0,
  posts_skipped: 0,
  chunks_created: 0,
  chunks_deleted: 0,
  chunks_embedded: 0,
  chunks_failed: 0,
  tokens: 0,
};

/** The tally with more of it. */
export function added(tally: Tally, more: Partial<Tally>): Tally {
  const sum = { ...tally };
  for (const [name, value] of Object.entries(more) as [keyof Tally, number][])
    sum[name] = tally[name] + value;
  return sum;
}
