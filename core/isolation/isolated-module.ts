import { setTimeout as wait } from 'node:timers/promises';
import { CodedError } from '../api/errors.ts';
import type { Hooks } from '../api/module.ts';
import type { Token } from '../api/provider.ts';
import { Database } from '../db/database.ts';
import { announcedFolders } from '../discovery/resolve-hooks.ts';
import { Crashes } from './crashes.ts';
import { hostServiceAsks } from './host-service-asks.ts';
import type { ModuleWords } from './module-words.ts';
import { passLog } from './pass-log.ts';
import { readThrown, type Thrown } from './thrown.ts';
import { type IsolatedPackage, WorkerSeat } from './worker-seat.ts';

/** Milliseconds that the package's code may take to load, and its `start`, as in process. */
const limitMs = 10_000;

/** Milliseconds that clients of a lost worker wait for its crash to be counted, should the database be slow. */
const countLimitMs = 1_000;

/** Milliseconds that a worker waits to be started: longer than the migrations of others take. */
const idleLimitMs = 300_000;

type Tools = Parameters<NonNullable<Hooks['start']>>[0];

const unavailable = (): CodedError =>
  new CodedError('module_unavailable', { headers: { 'Retry-After': '1' } });

/** A module whose code runs in a process of its own, which is replaced when it is lost. */
export class IsolatedModule {
  readonly #package: IsolatedPackage;
  /** The worker that is asked, or the one that will be. */
  #taken: Promise<WorkerSeat> | null = null;
  /** The one that serves; others are being opened, or are gone. */
  #serving: WorkerSeat | null = null;
  /** What the host serves; a worker of other files would not be the one that it describes. */
  #declared = '';
  #tools: Tools | null = null;
  #idle: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(found: IsolatedPackage) {
    this.#package = found;
  }

  /** What the package declares. Loads it for the first time: a loop in it costs nobody else anything. */
  async load(): Promise<ModuleWords> {
    const { seat, words } = await this.#open();
    this.#declared = JSON.stringify(words);
    // It may migrate, and does not serve before it is started.
    seat.watch();
    this.#taken = Promise.resolve(seat);
    // A package that is refused after all is never started, nor stopped.
    this.#idle = setTimeout(() => void this.#drop(seat), idleLimitMs);
    this.#idle.unref();
    return words;
  }

  /** From now on the worker may use the host's services; runs the module's own `start`. */
  async start(tools: Tools): Promise<void> {
    this.#tools = tools;
    clearTimeout(this.#idle);
    const seat = (await this.#taken) ?? (await this.#open()).seat;
    seat.watch();
    await this.#begin(seat);
    this.#serve(seat);
  }

  /** Runs the module's own `stop`, then ends the worker; one that does not answer is ended all the same. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#idle);
    const serving = this.#serving;
    const seat = serving ?? (await this.#taken?.catch(() => null));
    this.#taken = null;
    this.#serving = null;
    if (!seat) return;
    try {
      if (serving) await seat.line.ask('hook', ['stop'], null);
    } finally {
      await seat.stop(unavailable());
    }
  }

  /**
   * Asks the worker; one that is being replaced is waited for.
   * @throws `module_unavailable` when it is lost meanwhile
   */
  async ask(what: string, args: readonly unknown[], signal: AbortSignal | null): Promise<unknown> {
    const seat = await this.#take();
    return seat.line.ask(what, args, signal);
  }

  async #drop(seat: WorkerSeat): Promise<void> {
    this.#taken = null;
    await seat.stop(unavailable());
  }

  #take(): Promise<WorkerSeat> {
    this.#taken ??= this.#replace();
    return this.#taken;
  }

  #serve(seat: WorkerSeat): void {
    this.#serving = seat;
    this.#taken = Promise.resolve(seat);
  }

  async #replace(): Promise<WorkerSeat> {
    if (this.#stopping) throw unavailable();
    try {
      const { seat, words } = await this.#open();
      if (JSON.stringify(words) !== this.#declared) await giveUp(seat, new Error('The files have changed.'));
      seat.watch();
      await this.#begin(seat);
      this.#serve(seat);
      return seat;
    } catch (error) {
      this.#taken = null;
      await this.#charge('its worker (did not start again)', error);
      throw unavailable();
    }
  }

  async #open(): Promise<{ readonly seat: WorkerSeat; readonly words: ModuleWords }> {
    const seat = new WorkerSeat({
      package: this.#package,
      asks: hostServiceAsks(() => this.#tools?.get ?? noServices),
      told: {
        log: (line: string) => this.#tools && passLog(this.#tools.log, line),
        stray: (kind: string, thrown: Thrown) => void this.#charge(kind, readThrown(thrown)),
      },
      printed: (line) => this.#tools?.log.warn({ printed: line }, 'printed by a worker'),
      lost: (lost, why) => void this.#lost(lost, why),
    });
    const { id, main, folder } = this.#package;
    const load = async (): Promise<ModuleWords> => {
      await Promise.race([seat.ready(), seat.gone()]);
      return (await this.#inTime(
        seat,
        seat.line.ask('load', [{ id, main, folder }, announcedFolders()], null),
        'Loading',
      )) as ModuleWords;
    };
    return { seat, words: await load().catch((error: unknown) => giveUp(seat, error)) };
  }

  /** The module's own `start`. A worker in which it fails is of no use. */
  async #begin(seat: WorkerSeat): Promise<void> {
    const begun = seat.line.ask('begin', [this.#tools?.get(Database).url], null);
    await this.#inTime(seat, begun, 'start').catch((error: unknown) => giveUp(seat, error));
  }

  async #inTime(seat: WorkerSeat, work: Promise<unknown>, name: string): Promise<unknown> {
    const done = new AbortController();
    const late = wait(limitMs, null, { signal: done.signal, ref: false }).then(() => {
      throw new Error(`${name} took longer than ${limitMs / 1000} s.`);
    });
    try {
      return await Promise.race([work, seat.gone(), late]);
    } finally {
      done.abort();
    }
  }

  async #lost(seat: WorkerSeat, why: string): Promise<void> {
    // Whoever was just opening this one is told of its end by itself.
    const served = this.#serving === seat;
    if (served) {
      this.#serving = null;
      this.#taken = null;
      // Counted before its clients are answered, unless one of them holds what the count waits for.
      const charged = this.#charge(`its worker (${why})`, new Error(`The worker was lost: ${why}.`));
      await Promise.race([charged, wait(countLimitMs, null, { ref: false })]);
    }
    seat.line.close(served ? unavailable() : new Error(`The worker ended: ${why}.`));
    if (served && (await this.#isOn())) this.#take().catch(() => undefined);
  }

  /** False while nobody may ask for the module: then a worker would only be lost again. */
  async #isOn(): Promise<boolean> {
    if (this.#stopping || !this.#tools) return false;
    try {
      return !(await this.#tools.get(Crashes).halted()).has(this.#package.id);
    } catch {
      // The next request will see whether the database is there.
      return false;
    }
  }

  async #charge(place: string, error: unknown): Promise<void> {
    await this.#tools?.get(Crashes).charge({ module: this.#package.id, place, error });
  }
}

async function giveUp(seat: WorkerSeat, error: unknown): Promise<never> {
  await seat.stop(unavailable());
  throw error;
}

const noServices = <T>(_token: Token<T>): T => {
  throw new Error('The host offers its services when the module is started.');
};
