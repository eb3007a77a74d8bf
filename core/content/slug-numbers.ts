/** Numbers that are looked up at first; each further look is for twice as many. */
const firstLook = 20;

/**
 * The first of `name(1)`, `name(2)`… that is not taken. Looks candidates up by their exact text, so an index
 * answers whatever its collation, and the cost grows with the number of namesakes only.
 */
export async function firstFree(
  name: (number: number) => string,
  taken: (names: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string> {
  let from = 1;
  for (let many = firstLook; ; many *= 2) {
    const candidates = Array.from({ length: many }, (_none, index) => name(from + index));
    const used = await taken(candidates);
    const free = candidates.find((candidate) => !used.has(candidate));
    if (free !== undefined) return free;
    from += many;
  }
}
