import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Ask, Line } from './line.ts';

/** A package that asked for a worker of its own. */
export interface IsolatedPackage {
  readonly id: string;
  readonly folder: string;
  readonly main: string;
  /** Mebibytes that its heap may have. */
  readonly heapMb: number;
}

const beatMs = 1_000;
/** Milliseconds without an answer to a beat after which a worker is given up. */
const silenceMs = 5_000;

/** Enough that the host comes first, and not so much that a healthy worker on a busy machine misses its beats. */
const niceness = 5;

type Told = Readonly<Record<string, (...args: never[]) => void>>;

export interface SeatParts {
  readonly package: IsolatedPackage;
  readonly asks: Readonly<Record<string, Ask>>;
  readonly told: Told;
  /** A line that the worker printed, or that Node printed about it. */
  readonly printed: (line: string) => void;
  /** The worker is gone though nobody stopped it; the line is still open. */
  readonly lost: (seat: WorkerSeat, why: string) => void;
}

/** What the worker does with a whole core matters less than an answer of the host. */
function letOthersFirst(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // The system has no priorities for us.
  }
}

/**
 * One worker and the line to it, watched. It is a process: a thread whose heap is full takes its whole process
 * along, and there are loops that no thread can be called out of.
 */
export class WorkerSeat {
  readonly line: Line;
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  readonly #ready: Promise<void>;
  #isReady: () => void = () => undefined;
  #heard = performance.now();
  #beat: NodeJS.Timeout | undefined;
  #why: string | null = null;
  #stopped = false;

  constructor({ package: { id, heapMb }, asks, told, printed, lost }: SeatParts) {
    this.#child = fork(path.join(import.meta.dirname, 'worker-main.ts'), [id, String(heapMb)], {
      // One thread to collect garbage: a leak must not take every core.
      execArgv: [
        `--max-old-space-size=${heapMb}`,
        '--single-threaded-gc',
        '--disable-warning=ExperimentalWarning',
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#gone = once(this.#child, 'exit');
    this.#ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    letOthersFirst(this.#child.pid);
    this.line = new Line(
      {
        // Whoever is gone hears nothing; `exit` tells of that.
        send: (message) => void this.#child.send(message as object, () => undefined),
        listen: (listener) => void this.#child.on('message', listener as (message: unknown) => void),
      },
      asks,
      {
        ...told,
        pong: () => this.#heardNow(),
        ready: () => this.#isReady(),
      },
    );
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      if (output) createInterface({ input: output }).on('line', printed);
    }
    this.#child.on('error', () => undefined);
    this.#child.on('exit', (code, signal) => {
      clearInterval(this.#beat);
      // So ends Node when the heap is full.
      if (signal === 'SIGABRT' || code === 134) this.#why ??= `memory beyond ${heapMb} MiB`;
      this.#why ??= signal ? `ended by ${signal}` : `exit with code ${code}`;
      if (!this.#stopped) lost(this, this.#why);
    });
    // A process that stops does not wait for it.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Resolves when the host's code is loaded in it, and that of the module may be. */
  ready(): Promise<void> {
    return this.#ready;
  }

  #heardNow(): void {
    this.#heard = performance.now();
  }

  /** From now on the worker must answer. */
  watch(): void {
    this.#heardNow();
    if (this.#beat) return;
    let before = performance.now();
    this.#beat = setInterval(() => {
      const now = performance.now();
      // This process was busy itself, and heard nobody.
      if (now - before > 2 * beatMs) this.#heardNow();
      before = now;
      if (now - this.#heard > silenceMs) this.#end(`no heartbeat for ${silenceMs / 1000} s`);
      else this.line.tell('ping');
    }, beatMs);
    this.#beat.unref();
  }

  #end(why: string): void {
    this.#why ??= why;
    this.#child.kill('SIGKILL');
  }

  /** Ends the process as intended. */
  async stop(error: Error): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#beat);
    this.line.close(error);
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  /** Rejects when the process ends. */
  async gone(): Promise<never> {
    await this.#gone;
    throw new Error(`The worker ended: ${this.#why ?? 'exit'}.`);
  }
}
