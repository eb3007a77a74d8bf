import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { mayPass } from '../db/sql-errors.ts';
import { announcedFolders } from '../discovery/resolve-hooks.ts';
import type { Crash, Crashes } from './crashes.ts';
import { IllegibleThrow, legible } from './legible.ts';
import { runningModule } from './running.ts';

type Kind = 'a floating rejection' | 'an uncaught exception';

/** The module in whose folder the first frame of the stack lies that lies in any; null without one. */
export function moduleOfStack(error: unknown, folders: ReadonlyMap<string, string>): string | null {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return null;
  const places = [...folders].flatMap(([id, folder]) => [
    { id, start: `${folder}/` },
    { id, start: `${pathToFileURL(folder).href}/` },
  ]);
  for (const line of error.stack.split('\n')) {
    // The message comes first, and may name any file.
    if (!line.startsWith('    at ')) continue;
    const found = places.find(({ start }) => line.includes(start));
    if (found) return found.id;
  }
  return null;
}

/**
 * Errors that nobody waits for. One that a module caused is charged to it, and everything goes on; one of the host's
 * own leaves the process in a state that nobody knows, so it ends.
 */
export class StrayErrors {
  readonly #log: Logger;
  readonly #end: (error: unknown) => void;
  readonly #early: Crash[] = [];
  readonly #rejected = (error: unknown): void => this.#caught('a floating rejection', error);
  readonly #thrown = (error: unknown): void => this.#caught('an uncaught exception', error);
  #crashes: Crashes | null = null;

  /** @param end called for an error of the host's own: stops in order and ends the process */
  constructor(log: Logger, end: (error: unknown) => void) {
    this.#log = log;
    this.#end = end;
  }

  /** From now on no such error ends the process by itself. */
  listen(): void {
    process.on('unhandledRejection', this.#rejected);
    process.on('uncaughtException', this.#thrown);
  }

  /** Where crashes are counted, once there is a database; what happened before is counted now. */
  chargeTo(crashes: Crashes): void {
    this.#crashes = crashes;
    for (const crash of this.#early.splice(0)) void crashes.charge(crash);
  }

  #caught(kind: Kind, thrown: unknown): void {
    const error = legible(thrown);
    const module = moduleOfStack(error, announcedFolders()) ?? runningModule();
    if (module === null && mayPass(error)) {
      // A lost connection that nobody missed leaves nothing half done.
      this.#log.error({ err: error }, `${kind} of the host, over the database`);
      return;
    }
    if (module === null && error instanceof IllegibleThrow) {
      // The host throws nothing of the kind, so it is a module's, of which no trace is left.
      this.#log.error({ err: error }, `${kind} of nobody`);
      return;
    }
    if (module === null) {
      this.#log.fatal({ err: error }, `${kind} of the host`);
      this.#end(error);
      return;
    }
    const crash: Crash = { module, place: kind, error };
    if (this.#crashes) void this.#crashes.charge(crash);
    else this.#early.push(crash);
  }
}
