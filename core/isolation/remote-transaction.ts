import createKnex, { type Knex } from 'knex';
import type pg from 'pg';

/** What knex reads of an answer of the driver. */
interface Answer {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly unknown[];
  readonly fields: readonly { readonly name: string }[];
}

type Send = (text: string, values: readonly unknown[]) => Promise<unknown>;

/** A connection for knex that sends its statements to the other process. */
export class RemoteConnection {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Rows of a statement that is not prepared: its connection is another process's. */
  async rows<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return ((await this.#send(text, values)) as { rows: Row[] }).rows;
  }

  query(
    { text, values }: { readonly text: string; readonly values: readonly unknown[] },
    done?: (error: unknown, answer?: unknown) => void,
  ): Promise<unknown> | undefined {
    const answered = this.#send(text, values);
    if (!done) return answered;
    answered.then(
      (answer) => done(null, answer),
      (error: unknown) => done(error),
    );
    return undefined;
  }
}

const numbers = new WeakMap<object, number>();

const plain = createKnex({ client: 'pg' });
const PgClient = plain.client.constructor as new (config: Knex.Config) => Knex.Client;

/** Which savepoint each transaction of a held one is, innermost last. */
const depths = new WeakMap<object, number>();

/** One transaction, used by two processes: its statements run on the connection of the process that began it. */
export const RemoteTransaction = {
  /** The other process's transaction, as knex to build and run statements with. The process that lent it ends it. */
  open(id: number, send: Send): Knex {
    const connection = new RemoteConnection(send);
    class RemoteClient extends PgClient {
      override async acquireConnection(): Promise<unknown> {
        return connection;
      }

      override async releaseConnection(): Promise<void> {}
    }
    // Transactions in it are made from the class, so that is where their number is found.
    Object.defineProperty(RemoteClient.prototype, 'lent', { value: id });
    const lent = createKnex({ client: RemoteClient as unknown as typeof Knex.Client });
    numbers.set(lent, id);
    return Object.assign(lent, { isTransaction: true });
  },

  /** The number under which the other process knows this transaction, or null for what is none of its. */
  numberOf(value: unknown): number | null {
    if (typeof value !== 'function') return null;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    const lent = (value as { client?: { lent?: unknown } }).client?.lent;
    return typeof lent === 'number' ? lent : null;
  },

  /** Runs a statement of the other process. What it thinks to be a transaction of its own is a savepoint. */
  async run(held: unknown, text: string, values: readonly unknown[]): Promise<Answer> {
    const trx = held as Knex.Transaction;
    const client = trx.client as {
      acquireConnection(): Promise<pg.Client>;
      releaseConnection(connection: pg.Client): Promise<void>;
    };
    const connection = await client.acquireConnection();
    try {
      const { command, rowCount, rows, fields } = await connection.query({
        text: asSavepoint(trx, text),
        values: [...values],
      });
      return { command, rowCount, rows, fields: (fields ?? []).map(({ name }) => ({ name })) };
    } finally {
      await client.releaseConnection(connection);
    }
  },
};

function asSavepoint(trx: object, text: string): string {
  const depth = depths.get(trx) ?? 0;
  if (/^\s*begin\b/i.test(text)) {
    depths.set(trx, depth + 1);
    return `savepoint lent_${depth + 1}`;
  }
  if (/^\s*commit\b/i.test(text)) {
    depths.set(trx, Math.max(0, depth - 1));
    return `release savepoint lent_${depth}`;
  }
  if (/^\s*rollback\s*;?\s*$/i.test(text)) {
    depths.set(trx, Math.max(0, depth - 1));
    return `rollback to savepoint lent_${depth}`;
  }
  return text;
}
