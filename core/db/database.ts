import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import type { Logger } from 'pino';
import { RemoteConnection } from '../isolation/remote-transaction.ts';
import { HeldLocks } from './held-locks.ts';
import { LookUps } from './look-ups.ts';
import { askNamed, type NamedStatement } from './named-query.ts';

export type { NamedStatement } from './named-query.ts';

/** Milliseconds after which a silent server counts as unreachable: an answer must come within 5 s. */
const connectTimeoutMs = 4_000;

// "2026-01-02 03:04:05.6+00" → "2026-01-02T03:04:05.600Z": sessions run in UTC, columns keep milliseconds.
function rfc3339(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, text.length - 3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

type Parser = (text: string) => unknown;

/** Parsers of text by type: asked for each column of each answer, so kept. */
const parsers = new Map<number, Parser>([
  [pg.types.builtins.TIMESTAMPTZ, rfc3339],
  [pg.types.builtins.INT8, Number],
]);

function parserOf(oid: number): Parser {
  const known = parsers.get(oid);
  if (known) return known;
  const parser = pg.types.getTypeParser(oid, 'text') as Parser;
  parsers.set(oid, parser);
  return parser;
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? pg.types.getTypeParser(oid, format) : parserOf(oid),
};

const sessionOptions = '-c timezone=UTC -c client_min_messages=warning';

/** Options of every connection of the host, in the pool or of its own. */
export function connectionOptions(url: string, applicationName: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    options: sessionOptions,
    types,
  };
}

type PoolClient = pg.Client & { __knex__disposed?: unknown };

/** The installation's PostgreSQL: a pool behind knex, and named statements for what is asked often. */
export class Database {
  readonly knex: Knex;
  readonly #lookUps: LookUps;
  readonly #locks: HeldLocks;
  readonly url: string;

  constructor(url: string, options: { readonly poolSize: number; readonly log: Logger }) {
    this.url = url;
    this.knex = createKnex({
      client: 'pg',
      connection: connectionOptions(url, 'lyceum') as Knex.PgConnectionConfig,
      pool: { min: 0, max: options.poolSize, idleTimeoutMillis: 30_000 },
      acquireConnectionTimeout: connectTimeoutMs,
      log: {
        warn: (message: unknown) => options.log.warn({ message }, 'knex'),
        error: (message: unknown) => options.log.error({ message }, 'knex'),
        deprecate: () => undefined,
        debug: () => undefined,
      },
    });
    this.#lookUps = new LookUps({
      connection: {
        ...connectionOptions(url, 'lyceum look-ups'),
        options: `${sessionOptions} -c default_transaction_read_only=on`,
      },
      parserOf,
      patienceMs: connectTimeoutMs,
      log: options.log,
    });
    const connection = { ...connectionOptions(url, 'lyceum locks'), query_timeout: connectTimeoutMs };
    this.#locks = new HeldLocks({ connection, log: options.log });
  }

  /**
   * Rows of a prepared statement that only reads, is quick and waits for no lock: it shares its connection with the
   * look-ups of other requests. Values come as those of `named`.
   */
  lookUp<Row extends object>(statement: NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.#lookUps.ask<Row>(statement, values);
  }

  /**
   * Rows of a prepared statement. Times come as RFC 3339 text, bigint as number.
   * @param within the transaction that it is part of, if any
   */
  async named<Row extends object>(
    statement: NamedStatement,
    values: readonly unknown[],
    within?: Knex.Transaction,
  ): Promise<Row[]> {
    const client = (within ?? this.knex).client as {
      acquireConnection(): Promise<PoolClient | RemoteConnection>;
      releaseConnection(connection: PoolClient | RemoteConnection): Promise<void>;
    };
    const connection = await client.acquireConnection();
    try {
      if (connection instanceof RemoteConnection) return await connection.rows<Row>(statement.text, values);
      return await askNamed<Row>(connection, statement, values, parserOf);
    } finally {
      await client.releaseConnection(connection);
    }
  }

  /** Runs `work` in a transaction; it commits when the promise resolves. */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.knex.transaction(work);
  }

  /**
   * Does the work while nobody else, in whatever process, does work of this name: what it returns, in an object. Null
   * where somebody does; nobody waits. The lock ends with the process, and also with its connection: whoever must
   * write nothing after that looks, in each transaction, whether it is still his turn.
   */
  alone<T>(name: string, work: () => Promise<T>): Promise<{ readonly result: T } | null> {
    return this.#locks.alone(name, work);
  }

  async close(): Promise<void> {
    await this.#locks.close();
    await this.#lookUps.close();
    await this.knex.destroy();
  }
}
