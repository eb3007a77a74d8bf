import pg from 'pg';
import { ConfigError } from '../../config/load.ts';
import { connectionOptions } from '../db/database.ts';

/** The oldest PostgreSQL that the statements of the host run on, as `server_version_num`. */
const oldestVersion = 140_000;

/**
 * Connects once to the database that the operator names, before anything else does.
 * @throws ConfigError that says why it cannot be used; the URL is not repeated, it may hold a password
 */
export async function checkDatabase(url: string): Promise<void> {
  const refuse = (why: string): ConfigError =>
    new ConfigError(
      `DATABASE_URL: the database cannot be used (${why}), allowed is a PostgreSQL 14 or later.`,
    );
  let client: pg.Client | null = null;
  try {
    client = new pg.Client(connectionOptions(url, 'lyceum start'));
    // A connection that breaks later is told by the query.
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    if (Number(rows[0]?.server_version_num) < oldestVersion) throw refuse('it is too old');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { message, code } = error as { message: string; code?: string };
    throw refuse(message || code || 'no answer');
  } finally {
    await client?.end().catch(() => undefined);
  }
}
