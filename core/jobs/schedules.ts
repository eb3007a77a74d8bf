import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Token } from '../api/provider.ts';
import type { Schedule } from '../api/schedule.ts';
import type { Database } from '../db/database.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { isCrash } from '../isolation/is-crash.ts';
import { legible } from '../isolation/legible.ts';
import { asModule } from '../isolation/running.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import type { Uses } from '../registry/uses.ts';
import {
  addSchedules,
  endTurn,
  keepTurn,
  secondsToNext,
  takeDue,
  takeNow,
  turnSeconds,
} from './schedule-store.ts';

/** Milliseconds between looks, whatever the next turn says: a new process may have added one that is due. */
const longestPauseMs = 30_000;
const shortestPauseMs = 200;
/** Milliseconds that a turn has to end when the process stops. */
const patienceMs = 6_000;
/** After a look that failed, which is the database's fault. */
const failedPauseMs = 5_000;

export interface ScheduleParts {
  readonly db: Database;
  readonly installed: Installed;
  readonly uses: Uses;
  readonly resolve: (module: ModuleSpec) => <T>(token: Token<T>) => T;
  readonly crashes: Crashes;
  readonly now: () => Date;
  readonly log: Logger;
}

interface Declared {
  readonly schedule: Schedule;
  readonly module: ModuleSpec;
}

/** Runs the schedules of all modules: of many processes, the first that finds a turn due does it. */
export class Schedules {
  readonly #parts: ScheduleParts;
  readonly #declared: () => ReadonlyMap<string, Declared>;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  /** A turn ended while a look was on its way: that look did not see it. */
  #stale = false;
  #started = false;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#declared = parts.installed.derive(declaredSchedules);
  }

  /** Begins to take turns in this process. */
  start(): void {
    this.#started = true;
    this.#lookIn(0);
  }

  /** Packages came, went or changed: what is declared now may be due. */
  modulesChanged(): void {
    if (this.#started) this.#turnEnded();
  }

  /** Takes no more turns, tells running ones to end, and waits for those that hear it: the others lose their turn. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('The process stops.'));
    clearTimeout(this.#timer);
    await this.#looking;
    const patience = new AbortController();
    await Promise.race([
      Promise.all(this.#running),
      wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }

  /**
   * Does a turn now, due or not, in this process; false when another one is at it.
   * @throws what the schedule throws
   */
  async runNow(id: string): Promise<boolean> {
    const declared = this.#declared().get(id);
    if (!declared) throw new Error(`No module declares the schedule "${id}".`);
    const { knex } = this.#parts.db;
    const turn = randomUUID();
    await addSchedules(knex, [id]);
    if (!(await takeNow(knex, id, turn))) return false;
    await this.#turn(declared, turn);
    return true;
  }

  #lookIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
        .catch((error: unknown) => {
          this.#parts.log.warn({ err: error }, 'schedules not looked at');
          return failedPauseMs;
        })
        .then((pause) => {
          this.#looking = null;
          this.#lookIn(this.#stale ? shortestPauseMs : pause);
        });
    }, milliseconds);
    this.#timer.unref();
  }

  #turnEnded(): void {
    if (this.#looking) this.#stale = true;
    else this.#lookIn(shortestPauseMs);
  }

  /** Begins what is due; milliseconds until the next look. */
  async #look(): Promise<number> {
    this.#stale = false;
    const { knex } = this.#parts.db;
    const halted = await this.#parts.crashes.halted();
    const ids = [...this.#declared()].filter(([, { module }]) => !halted.has(module.id)).map(([id]) => id);
    if (ids.length === 0) return longestPauseMs;
    await addSchedules(knex, ids);
    const turn = randomUUID();
    for (const id of await takeDue(knex, ids, turn)) this.#begin(id, turn);
    const next = (await secondsToNext(knex, ids)) * 1000;
    return Math.min(longestPauseMs, Math.max(shortestPauseMs, Math.ceil(next)));
  }

  #begin(id: string, turn: string): void {
    const declared = this.#declared().get(id);
    if (!declared) return;
    const running = this.#turn(declared, turn)
      .catch((error: unknown) => this.#parts.log.error({ err: error, schedule: id }, 'schedule failed'))
      .finally(() => {
        this.#running.delete(running);
        this.#turnEnded();
      });
    this.#running.add(running);
  }

  async #turn({ schedule, module }: Declared, turn: string): Promise<void> {
    const { db, resolve, uses, now, log } = this.#parts;
    const leave = uses.enter(module);
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, lost.signal]);
    const beat = setInterval(
      () => {
        keepTurn(db.knex, schedule.id, turn).then(
          (kept) => {
            if (!kept) lost.abort(new Error('Another process has the turn.'));
          },
          (error: unknown) => log.warn({ err: error, schedule: schedule.id }, 'turn not kept'),
        );
      },
      (turnSeconds * 1000) / 3,
    );
    try {
      const tools = {
        log: log.child({ module: module.id, schedule: schedule.id }),
        signal,
        get: resolve(module),
        now,
      };
      await asModule(module.id, () => schedule.run(tools));
    } catch (thrown) {
      const error = legible(thrown);
      if (isCrash(error) && !signal.aborted) {
        await this.#parts.crashes.charge({ module: module.id, place: `schedule ${schedule.id}`, error });
      }
      throw error;
    } finally {
      clearInterval(beat);
      leave();
      await endTurn(db.knex, schedule.id, turn, schedule.everySeconds);
    }
  }
}

const declaredSchedules = (modules: InstalledModules): ReadonlyMap<string, Declared> =>
  new Map(
    [...specs(modules)].flatMap((module) =>
      module.schedules.map((schedule) => [schedule.id, { schedule, module }] as const),
    ),
  );
