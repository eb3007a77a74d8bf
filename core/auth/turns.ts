interface Line {
  running: number;
  /** In the order in which they came; each is called to let its work begin. */
  readonly waiting: Set<() => void>;
}

/** How long somebody waits for a place, and what makes him go before. */
export interface Patience {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** Lets at most so many pieces of work per key run at once in this process; the others wait, first come first served. */
export class Turns {
  readonly #atOnce: number;
  readonly #lines = new Map<string, Line>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#line(key);
    if (line.running < this.#atOnce) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.add(resolve));
    try {
      return await work();
    } finally {
      this.#leave(key, line);
    }
  }

  /** Takes a place for work that ends elsewhere: what gives it back, once; null when none was free in time. */
  async enter(key: string, { ms, signal }: Patience): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    const line = this.#line(key);
    if (line.running < this.#atOnce) line.running += 1;
    else if (!(await waited(line, ms, signal))) return null;
    let left = false;
    return () => {
      if (!left) this.#leave(key, line);
      left = true;
    };
  }

  #line(key: string): Line {
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() };
    this.#lines.set(key, line);
    return line;
  }

  /** The place goes to whoever waits longest; the last one takes the line with him. */
  #leave(key: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      return next();
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}

/** Whether a place came in time; whoever goes away leaves the line as it is without him. */
function waited(line: Line, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (came: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
      line.waiting.delete(take);
      resolve(came);
    };
    const take = (): void => end(true);
    const give = (): void => end(false);
    const timer = setTimeout(give, ms);
    signal.addEventListener('abort', give);
    line.waiting.add(take);
  });
}
