/**
 * What this process writes to one site goes one after the other. Waiting here costs nothing; waiting for a lock of
 * the database would keep one of the few connections that all sites share.
 */
export class SiteTurns {
  readonly #last = new Map<number, Promise<void>>();

  async take<T>(blogId: number, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(blogId) ?? Promise.resolve()).then(work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(blogId, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(blogId) === ended) this.#last.delete(blogId);
    }
  }
}
