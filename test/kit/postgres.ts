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
  readonly url: string;
  readonly admin: Knex;
  /** Null in a process that uses the server of the one that started it. */
  readonly own: { readonly embedded: EmbeddedPostgres; readonly folder: string } | null;
}

/** Tells the processes that run test files side by side of their one server. */
const sharedUrl = 'LYCEUM_TEST_POSTGRES';

let server: Promise<Server> | null = null;
let clones = 0;

const adminOf = (url: string): Knex =>
  createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });

async function start(): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-test-'));
  // As root the server runs as another user, who must get in.
  await chmod(folder, 0o755);
  const embedded = await startEmbeddedPostgres({ dataDir: folder, volatile: true, maxConnections: 600 });
  const admin = adminOf(embedded.url);
  for (const name of Object.values(templates)) await admin.raw(`create database ${name}`);
  await fillTemplate(urlOf(embedded.url, templates.started), folder);
  return { url: embedded.url, admin, own: { embedded, folder } };
}

/** The server, started when it is first wanted. */
function theServer(): Promise<Server> {
  const shared = process.env[sharedUrl];
  server ??=
    shared === undefined ? start() : Promise.resolve({ url: shared, admin: adminOf(shared), own: null });
  return server;
}

/** Starts the server for the processes that this one will start. */
export async function shareTestPostgres(): Promise<void> {
  process.env[sharedUrl] = (await theServer()).url;
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
  const { url, admin } = await theServer();
  clones += 1;
  const name = `test_${process.pid}_${clones}`;
  await admin.raw(`create database ${name} template ${templates[template]} strategy wal_log`);
  return {
    url: urlOf(url, name),
    drop: async () => void (await admin.raw(`drop database if exists ${name} with (force)`)),
  };
}

/** Stops the server of the tests; called once, when all are done. */
export async function stopTestPostgres(): Promise<void> {
  if (!server) return;
  const { admin, own } = await server;
  await admin.destroy();
  if (!own) return;
  await own.embedded.stop();
  await rm(own.folder, { recursive: true, force: true });
}
