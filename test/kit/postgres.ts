import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import createKnex, { type Knex } from 'knex';
import { pino } from 'pino';
import type { Config } from '../../config/load.ts';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../core/db/embedded.ts';

/** Names of the databases that others are cloned from: with the first network in it, and without anything. */
export const templates = { started: 'template_started', empty: 'template_empty' } as const;

export const adminPassword = 'correct horse battery staple';

export function testConfig(dataDir: string, changes: Partial<Config>): Config {
  return {
    port: 0,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: null,
    baseUrl: null,
    apiRoot: 'api',
    multisite: 'subdirectory',
    admin: { login: 'admin', email: 'admin@example.test', password: adminPassword },
    secretKey: 'a secret key for tests, long enough',
    smtpUrl: null,
    storageUrl: `file://${dataDir}/files`,
    modulesPath: [],
    workers: 'off',
    trustedProxies: [],
    logLevel: 'silent',
    ...changes,
  };
}

interface Server {
  readonly embedded: EmbeddedPostgres;
  readonly folder: string;
  readonly admin: Knex;
}

let server: Promise<Server> | null = null;
let clones = 0;

async function start(): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-test-'));
  // As root the server runs as another user, who must get in.
  await chmod(folder, 0o755);
  const embedded = await startEmbeddedPostgres({ dataDir: folder, volatile: true, maxConnections: 300 });
  const admin = createKnex({ client: 'pg', connection: embedded.url, pool: { min: 0, max: 2 } });
  for (const name of Object.values(templates)) await admin.raw(`create database ${name}`);
  await fillTemplate(urlOf(embedded.url, templates.started), folder);
  return { embedded, folder, admin };
}

/** The host itself prepares the template: migrations of every module, network, site and super admin. */
async function fillTemplate(databaseUrl: string, folder: string): Promise<void> {
  const host = await startHost({
    config: testConfig(folder, {}),
    databaseUrl,
    log: pino({ level: 'silent' }),
    folders: [builtinFolder],
    only: null,
    now: () => new Date(),
    onCoded: null,
  });
  await host.stop();
}

function urlOf(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A clone of a template, in tens of milliseconds. */
export async function cloneDatabase(template: keyof typeof templates): Promise<TestDatabase> {
  server ??= start();
  const { embedded, admin } = await server;
  clones += 1;
  const name = `test_${process.pid}_${clones}`;
  await admin.raw(`create database ${name} template ${templates[template]} strategy wal_log`);
  return {
    url: urlOf(embedded.url, name),
    drop: async () => void (await admin.raw(`drop database if exists ${name} with (force)`)),
  };
}

/** Stops the server of the tests; called once, when all are done. */
export async function stopTestPostgres(): Promise<void> {
  if (!server) return;
  const { embedded, folder, admin } = await server;
  await admin.destroy();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}
