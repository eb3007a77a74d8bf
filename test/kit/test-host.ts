import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import type { Config } from '../../config/load.ts';
import { universalErrors } from '../../core/api/host-errors.ts';
import { builtinFolder, type Host, startHost } from '../../core/boot/host.ts';
import type { FolderToRead } from '../../core/discovery/package-folders.ts';
import { RouteTable } from '../../core/http/route-table.ts';
import { declaredErrors } from '../../core/registry/declared-errors.ts';
import { derived } from '../../core/registry/installed.ts';
import { type Client, clientFor, type Identity, nobody } from './client.ts';
import { Factories } from './factories.ts';
import { cloneDatabase, type TestDatabase, testConfig } from './postgres.ts';

export interface TestHostOptions {
  /** Modules to load beside `host` and `modules`; absent: all of them. */
  readonly modules?: readonly string[];
  /** Further folders of packages. */
  readonly folders?: readonly string[];
  /** Folder of one package, wherever it lies: the only module beside `host`, `modules` and those named in `modules`. */
  readonly package?: string;
  /** Whether these folders are watched; else what changes in them waits for a rescan. */
  readonly watch?: boolean;
  /** A folder whose package.json names dependencies, of which some are modules. */
  readonly dependenciesOf?: string;
  readonly config?: Partial<Config>;
  /** `empty`: the host makes its first start in the test. */
  readonly database?: 'started' | 'empty';
  /** A second process of the installation: shares database and files with this one. */
  readonly beside?: TestHost;
  readonly now?: () => Date;
  readonly logLevel?: string;
  /** Gets every line that is logged, `trace` included. */
  readonly logLines?: string[];
}

export interface TestHost {
  readonly host: Host;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly make: Factories;
  /** Client of an identity (default nobody) on a site (default the main one). */
  as(identity: Identity, site?: { readonly path: string; readonly domain: string }): Client;
  readonly anonymous: Client;
  /** Operation and code of every coded error that a handler or its input threw so far. */
  readonly thrown: readonly (readonly [string, string])[];
  /**
   * Stops the host and removes its data.
   * Throws when an operation let a code out that it does not declare.
   */
  stop(): Promise<void>;
}

function logFor({ logLevel, logLines }: TestHostOptions): Logger {
  if (logLines) return pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  return pino({ level: logLevel ?? process.env.TEST_LOG ?? 'silent' });
}

/** Packages may be replaced while a test runs: what was thrown is held against what was declared then. */
const declaredIn = derived((modules) => declaredErrors(new RouteTable(modules).operations, modules));

/** Ids to load; null loads all. */
function onlyOf({ modules, package: folder }: TestHostOptions): ReadonlySet<string> | null {
  if (!modules && folder === undefined) return null;
  const own = folder === undefined ? [] : [idOf(folder)];
  return new Set(['host', 'modules', ...(modules ?? []), ...own]);
}

function idOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly lyceum: { readonly id: string };
  };
  return manifest.lyceum.id;
}

/** Boots the true host on a database cloned from a template. */
export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { beside } = options;
  const database = beside?.database ?? (await cloneDatabase(options.database ?? 'started'));
  const dataDir = beside?.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'lyceum-test-data-')));
  const undeclared = new Set<string>();
  const thrown: [string, string][] = [];
  const config = testConfig(dataDir, options.config ?? {});
  const only = onlyOf(options);
  const folders: FolderToRead[] = (options.folders ?? []).map((folder) => ({
    folder,
    source: 'folder',
    watched: options.watch ?? false,
  }));
  if (options.package !== undefined) {
    folders.push({ folder: options.package, source: 'folder', watched: options.watch ?? false });
  }
  if (options.dependenciesOf !== undefined) {
    folders.push({ folder: options.dependenciesOf, source: 'package', watched: false });
  }
  const host = await startHost({
    config,
    databaseUrl: database.url,
    log: logFor(options),
    folders: [builtinFolder, ...folders],
    only,
    now: options.now ?? (() => new Date()),
    onCoded: (operation, code, modules) => {
      thrown.push([operation, code]);
      if (!universalErrors.includes(code) && !declaredIn(modules).get(operation)?.has(code)) {
        undeclared.add(`${operation} threw ${code}`);
      }
    },
  });
  const origin = `http://127.0.0.1:${host.port}`;
  const as = (identity: Identity, site?: { readonly path: string; readonly domain: string }): Client =>
    clientFor(
      { origin, sitePath: site?.path ?? '/', hostName: site?.domain, apiRoot: config.apiRoot },
      identity,
    );
  return {
    host,
    origin,
    database,
    dataDir,
    make: new Factories(host),
    as,
    anonymous: as(nobody),
    thrown,
    stop: async () => {
      await host.stop();
      if (!beside) {
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
      if (undeclared.size > 0) throw new Error(`Undeclared errors: ${[...undeclared].sort().join('; ')}`);
    },
  };
}
