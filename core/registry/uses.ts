import type { ModuleSpec } from './spec.ts';

/** What is under way in the code of each module: old code is stopped when nobody is in it any more. */
export class Uses {
  readonly #counts = new Map<ModuleSpec, number>();
  #waiting: (() => void)[] = [];

  /** Counts one use; the function ends it, once. */
  enter(spec: ModuleSpec): () => void {
    this.#counts.set(spec, (this.#counts.get(spec) ?? 0) + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#leave(spec);
    };
  }

  #leave(spec: ModuleSpec): void {
    const left = (this.#counts.get(spec) ?? 1) - 1;
    if (left > 0) {
      this.#counts.set(spec, left);
      return;
    }
    this.#counts.delete(spec);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  /** Resolves when none of them is in use, or when the signal aborts. */
  async idle(specs: readonly ModuleSpec[], signal: AbortSignal): Promise<void> {
    // What was begun in this turn of the event loop has entered by the next one.
    await new Promise((resolve) => setImmediate(resolve));
    while (!signal.aborted && specs.some((spec) => this.#counts.has(spec))) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}
