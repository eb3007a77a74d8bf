/** Milliseconds that a client waits for license servers, in all requests of one action. */
const longestWaitMs = 10_000;

/** How long an action may still wait; by a clock that nobody sets. */
export class Patience {
  readonly #end = performance.now() + longestWaitMs;

  /** At least 1: a request that has no time left fails by it. */
  get milliseconds(): number {
    return Math.max(1, Math.floor(this.#end - performance.now()));
  }
}
