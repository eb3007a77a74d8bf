import { CodedError } from '@lyceum/core';
import type { errors } from './errors.ts';

/** Classes of SQLSTATE by which PostgreSQL refuses what it was told to write, rather than being away. */
const refusals = /^(?:22|23|42|53|54|P0)/;

/** Does the work; a refusal of the database has this code. */
export async function orFail<T>(code: keyof typeof errors, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const state = (error as { code?: unknown } | null)?.code;
    if (error instanceof CodedError || typeof state !== 'string' || !refusals.test(state)) throw error;
    throw new CodedError(code, { cause: error });
  }
}
