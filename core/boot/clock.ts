/** The time as this process sees it: what expires, is due or waits goes by it, in requests and in jobs alike. */
export class Clock {
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  now(): Date {
    return this.#now();
  }
}
