import pg from 'pg';

type Query = (...given: unknown[]) => unknown;

/** Runs the work and tells how many statements this process sent meanwhile, `begin` and `commit` included. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  let count = 0;
  prototype.query = function counted(this: unknown, ...given: unknown[]) {
    count += 1;
    return query.apply(this, given);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return count;
}
