/** The vector at length 1; null for one that has no direction or holds something that is no number. */
export function normalized(vector: readonly unknown[]): readonly number[] | null {
  let sum = 0;
  for (const value of vector) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return null;
    sum += value * value;
  }
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) return null;
  // Single precision is what is stored; more digits are only longer.
  return (vector as readonly number[]).map((value) => Math.fround(value / length));
}
