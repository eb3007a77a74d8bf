/** Numbers that are looked up at first; each further look is for twice as many. */
const firstLook = 20;

type Naming = (number: number) => string;
type Taken = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Those of `name(1)`, `name(2)`… that are not taken, without end. Looks candidates up by their exact text, so an
 * index answers whatever its collation, and the cost grows with the number of namesakes only.
 */
export async function* freeNames(name: Naming, taken: Taken): AsyncGenerator<string, never> {
  let from = 1;
  for (let many = firstLook; ; many *= 2) {
    const candidates = Array.from({ length: many }, (_none, index) => name(from + index));
    const used = await taken(candidates);
    for (const candidate of candidates) if (!used.has(candidate)) yield candidate;
    from += many;
  }
}

/** The first of `name(1)`, `name(2)`… that is not taken. */
export const firstFree = async (name: Naming, taken: Taken): Promise<string> =>
  (await freeNames(name, taken).next()).value;
