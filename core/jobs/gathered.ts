/** Most items of one statement: as many as a taker fetches at a time. */
const mostAtOnce = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * One statement for many of a kind: what comes while the last one is on its way goes together with the next. An item
 * that comes alone is sent at once, so that gathering costs no time.
 */
export class Gathered<Item, Result> {
  readonly #send: (items: readonly Item[]) => Promise<readonly Result[]>;
  #waiting: Waiting<Item, Result>[] = [];
  #busy = false;

  /** @param send answers with one result for each item, in their order */
  constructor(send: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#send = send;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      // Whoever comes in the same turn of the event loop comes along.
      setImmediate(() => void this.#empty());
    });
  }

  async #empty(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendAll(this.#waiting.splice(0, mostAtOnce));
    this.#busy = false;
  }

  async #sendAll(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#send(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      // One of them may be the cause: the others do not answer for it.
      for (const one of batch) await this.#sendAll([one]);
    }
  }
}
