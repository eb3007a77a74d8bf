import { setTimeout as wait } from 'node:timers/promises';
import { mayPass } from '../db/sql-errors.ts';

/** Milliseconds before each further try: a connection that was ended is replaced at once, a server in seconds. */
const pausesMs = [0, 100, 500, 1_500];

/**
 * Does again what a lost connection or a deadlock kept from being done or from being known as done: for work that,
 * done twice, is as done once. What is left undone in the end is somebody else's after the worker's silence.
 */
export async function keepTrying<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await wait(pause);
    }
  }
  return work();
}
