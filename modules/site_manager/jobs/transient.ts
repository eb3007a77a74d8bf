import { ErrorMapper, type Token, TransientFailure } from '@lyceum/core';

/** For work that may be done again as it is: a deadlock or a lost connection becomes a failure that passes. */
export function orTransient(job: { get<T>(token: Token<T>): T }, error: unknown): never {
  const passes = job.get(ErrorMapper).describe(error)?.code === 'database_unavailable';
  if (passes) throw new TransientFailure('The database did not answer.', { cause: error });
  throw error;
}
