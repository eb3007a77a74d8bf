import { pino } from 'pino';
import { CodedError } from '../api/errors.ts';

/** What was thrown throws itself when somebody looks at it. */
export class IllegibleThrow extends Error {
  constructor() {
    super('What was thrown cannot be read.');
    this.name = 'IllegibleThrow';
  }
}

/** What an error says, or whatever else was thrown. */
export function messageOf(thrown: unknown): string {
  const error = legible(thrown);
  return error instanceof Error ? error.message : String(error);
}

/**
 * What was thrown, or an error in its place when looking at it runs code that throws: a getter, the trap of a proxy,
 * an object without a prototype. Whoever counts or logs a crash must not fall over it.
 */
export function legible(error: unknown): unknown {
  try {
    // Reading a stack costs more than throwing it, and these are thrown often.
    if (error instanceof CodedError) return error;
    // What the log reads, and what error answers are told apart by.
    pino.stdSerializers.err(error as Error);
    String(error instanceof Error ? error.stack : error);
    return error;
  } catch {
    return new IllegibleThrow();
  }
}
