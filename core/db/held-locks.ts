import pg from 'pg';
import type { Logger } from 'pino';

export interface HeldLockOptions {
  readonly connection: pg.ClientConfig;
  readonly log: Logger;
}

const take = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken';
const give = 'select pg_advisory_unlock(hashtextextended($1, 0)) as given';

/**
 * Locks that last as long as some work, by name, over all processes of the installation. All those of this process are
 * held by one connection of their own, which is open only while there are any: PostgreSQL frees them when the process
 * dies, and no connection of the pool is kept from others meanwhile.
 */
export class HeldLocks {
  readonly #options: HeldLockOptions;
  /** Names that work of this process has or asks for: one connection would get the same lock twice. */
  readonly #held = new Set<string>();
  #line: Promise<pg.Client> | null = null;
  /** Settles when the statement before is answered. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: HeldLockOptions) {
    this.#options = options;
  }

  /** What the work returns, in an object; null when somebody else has the lock. Waits for nobody. */
  async alone<T>(name: string, work: () => Promise<T>): Promise<{ readonly result: T } | null> {
    if (this.#held.has(name)) return null;
    this.#held.add(name);
    try {
      const line = await this.#open();
      if (!(await this.#ask(line, take, name))) return null;
      try {
        return { result: await work() };
      } finally {
        // Where the connection is lost, so is the lock.
        await this.#ask(line, give, name).catch(() => undefined);
      }
    } finally {
      this.#held.delete(name);
      if (this.#held.size === 0) await this.close();
    }
  }

  async close(): Promise<void> {
    const line = this.#line;
    this.#line = null;
    await (await line?.catch(() => null))?.end().catch(() => undefined);
  }

  /** One statement after the other; true where it did what it says. */
  #ask(line: pg.Client, statement: string, name: string): Promise<boolean> {
    const asked = this.#before.then(async () => {
      const { rows } = await line.query<Record<string, boolean>>(statement, [name]);
      return Object.values(rows[0] ?? {}).includes(true);
    });
    this.#before = asked.catch(() => undefined);
    return asked;
  }

  #open(): Promise<pg.Client> {
    if (this.#line) return this.#line;
    const client = new pg.Client(this.#options.connection);
    const line = client.connect().then(() => client);
    const lost = (error?: Error): void => {
      if (this.#line !== line) return;
      this.#line = null;
      this.#options.log.warn({ err: error }, 'the connection that holds locks was lost');
    };
    client.on('error', lost);
    client.on('end', () => lost());
    line.catch(lost);
    this.#line = line;
    return line;
  }
}
