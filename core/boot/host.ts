import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import { ArtifactFiles } from '../artifacts/artifact-file-store.ts';
import { CapabilityTable } from '../auth/capabilities.ts';
import { Nonces } from '../auth/nonces.ts';
import { SiteFiles } from '../content/attachments/site-file-store.ts';
import { Database } from '../db/database.ts';
import { FolderWatch } from '../discovery/folder-watch.ts';
import { loadModules } from '../discovery/load-modules.ts';
import type { FolderToRead } from '../discovery/package-folders.ts';
import { moduleAreas } from '../files/area-server.ts';
import { FileLinks } from '../files/file-links.ts';
import { FileServer } from '../files/file-server.ts';
import { openStorage, Storage } from '../files/storage.ts';
import { Addresses } from '../http/addresses.ts';
import { ApiDocuments } from '../http/api-documents.ts';
import { type CodedListener, Dispatch } from '../http/dispatch.ts';
import { ErrorMapper } from '../http/error-mapper.ts';
import { HealthRoutes } from '../http/health.ts';
import { Idempotency } from '../http/idempotency.ts';
import { IdempotencyStore } from '../http/idempotency-store.ts';
import { Metrics } from '../http/metrics.ts';
import { modulePages } from '../http/pages/module-pages.ts';
import { sitePages } from '../http/pages/site-pages.ts';
import { Peers } from '../http/peer.ts';
import { RouteTable } from '../http/route-table.ts';
import { HttpServer } from '../http/server.ts';
import { UploadFolder } from '../http/upload-folder.ts';
import { Crashes } from '../isolation/crashes.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Mail } from '../mail/mail.ts';
import { derived, Installed } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import { Uses } from '../registry/uses.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { Keys } from '../settings/secrets.ts';
import { SettingsService } from '../settings/settings.ts';
import { Listener } from '../state/listener.ts';
import { packagesGeneration } from '../state/packages-store.ts';
import { RecordWatch } from '../state/record-watch.ts';
import { State } from '../state/state.ts';
import { commandFinder } from './commands.ts';
import { Services } from './container.ts';
import { type FirstStart, firstStart } from './first-start.ts';
import { offerHostServices } from './host-services.ts';
import { JobSystem } from './job-system.ts';
import { noteReadyModules } from './meet-modules.ts';
import { migrateAll, startModules } from './module-start.ts';
import { Packages } from './packages.ts';
import { StopList } from './stop-list.ts';
import { sweepLeft } from './sweep-left.ts';

/** Connections of one process: more than PostgreSQL's cores can serve only queue there instead of here. */
const poolSize = 16;

export interface HostOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Where module packages lie. */
  readonly folders: readonly FolderToRead[];
  /** Modules to load; null loads all that are found. */
  readonly only: ReadonlySet<string> | null;
  readonly now: () => Date;
  readonly onCoded: CodedListener | null;
}

export interface Host {
  readonly port: number;
  readonly addresses: Addresses;
  readonly db: Database;
  readonly services: Services;
  readonly state: State;
  readonly modules: InstalledModules;
  readonly routes: RouteTable;
  /** Set when this start created network, site and super admin. */
  readonly firstStart: FirstStart | null;
  /** Stops accepting, finishes requests in flight, stops modules; idempotent. */
  stop(): Promise<void>;
}

/** The packages that come with the host. */
export const builtinFolder: FolderToRead = {
  folder: path.resolve(import.meta.dirname, '../../modules'),
  source: 'builtin',
  // A new version of the host itself comes with a restart.
  watched: false,
};

/** Modules among the dependencies of the installation. */
export const installedPackages: FolderToRead = {
  folder: path.resolve(import.meta.dirname, '../..'),
  source: 'package',
  // An installation takes its time; who ran it has the folders read.
  watched: false,
};

/** The composition root: everything is made here, in order, and stopped in the reverse one. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { config, log, now } = options;
  const stops = new StopList();
  const stop = (): Promise<void> => stops.run(log);
  try {
    return await compose(options, stops, stop, log, config, now);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function compose(
  options: HostOptions,
  stops: StopList,
  stop: () => Promise<void>,
  log: Logger,
  config: Config,
  now: () => Date,
): Promise<Host> {
  const db = new Database(options.databaseUrl, { poolSize, log });
  stops.add('database', () => db.close());
  // On an empty database nobody has announced anything.
  const generation = packagesGeneration(db.knex).catch(() => 0);
  const found = loadModules(options.folders, options.only, log);
  await generation;
  const installed = new Installed(await migrateAll(db, await found, log));
  const uses = new Uses();

  const { apiRoot, multisite } = config;
  const addresses = new Addresses({ baseUrl: config.baseUrl, port: config.port, apiRoot, multisite });
  const created = await firstStart(db, config, addresses.base);
  const keys = new Keys(config.secretKey);
  const settings = new SettingsService(keys);
  // An embedded database belongs to one process, and so does what lies beside it.
  const alone = config.databaseUrl === null;
  const storage = openStorage(config.storageUrl, alone);
  const nonces = new Nonces(keys.derive('nonces'), () => now().getTime());
  const single = multisite === 'off';

  const services = new Services();
  services.offer(Database, db);
  services.offer(Addresses, addresses);
  services.offer(Keys, keys);
  services.offer(SettingsService, settings);
  services.offer(Storage, storage);
  services.offer(Nonces, nonces);
  const parts = {
    config,
    db,
    keys,
    nonces,
    storage,
    settings,
    addresses,
    installed,
    services,
    uses,
    now,
    log,
  };
  offerHostServices(parts);
  stops.add('mail', () => services.host(Mail).stop());
  const metrics = new Metrics();
  const counted = (module: string) => metrics.crashed(module);
  const crashes = new Crashes({ db, modules: () => installed.current, counted, log });
  services.offer(Crashes, crashes);
  const jobs = await JobSystem.open({
    db,
    installed,
    uses,
    services,
    stops,
    crashes,
    now,
    log,
  });

  installed.replace(await startModules(installed.current, [...specs(installed.current)], services, log));
  await noteReadyModules(db, installed.current, services.host(Jobs), log);
  const routes = derived((modules) => new RouteTable(modules));
  const packages = new Packages(
    {
      ...{ folders: options.folders, only: options.only, installed, uses, db, services, log },
      prepare: routes,
      swapped: () => jobs.modulesChanged(),
    },
    await generation,
  );
  stops.add('modules', () => packages.stop());
  services.offer(Packages, packages);
  const capabilities = new CapabilityTable(installed, single);
  // Commands are looked for when packages are read.
  const commands = derived(() => commandFinder(process.env));
  const commandFound = (name: string): boolean => commands(installed.current)(name);
  const state = new State(db, installed, { single, commandFound });
  services.offer(CapabilityTable, capabilities);
  services.offer(State, state);
  state.onPackages((seen) => packages.noticed({ kind: 'packages', generation: seen }));

  const listener = new Listener(options.databaseUrl, log, (notice) => {
    services.host(RecordWatch).heard(notice);
    jobs.noticed(notice);
    packages.noticed(notice);
    if (notice.kind !== 'revision') return;
    state
      .noticed(notice.revision)
      .catch((error: unknown) => log.warn({ err: error }, 'state not read ahead'));
  });
  await listener.start();
  stops.add('listener', () => listener.stop());
  const peers = new Peers(config.trustedProxies, addresses.secure);
  const errors = new ErrorMapper(installed);
  services.offer(ErrorMapper, errors);
  const hostSettings = new HostSettings(installed, settings);
  const uploads = new UploadFolder(path.join(config.dataDir, 'uploads'));
  services.offer(UploadFolder, uploads);
  await sweepLeft(services, alone, now());
  const files = new FileServer({
    files: services.host(SiteFiles),
    artifacts: services.host(ArtifactFiles),
    links: services.host(FileLinks),
    storage,
    capabilities,
    now,
    log,
  });
  const dispatch = new Dispatch({
    db,
    routes,
    uses,
    state,
    nonces,
    capabilities,
    settings,
    addresses,
    idempotency: new Idempotency(new IdempotencyStore(db), keys),
    errors,
    crashes,
    resolve: (spec) => services.resolve(spec),
    now,
    log,
    uploads,
    uploadLimit: (site) => hostSettings.value(site, 'max_upload_bytes'),
    onCoded: options.onCoded,
  });
  const resolve = (spec: ModuleSpec) => services.resolve(spec);
  const shown = {
    ...{ uses, nonces, capabilities, settings, addresses, errors, crashes },
    ...{ resolve, now, log },
  };
  const checks = {
    database: async () => void (await db.lookUp({ name: 'ping', text: 'select 1' }, [])),
    migrations: async () => void (await db.knex('migrations').first('id')),
    storage: () => storage.check(),
    queue: () => jobs.check(),
  };
  const http = new HttpServer({
    db,
    state,
    peers,
    addresses,
    nonces,
    dispatch,
    apiDocuments: new ApiDocuments({ routes, addresses }),
    surfaces: [moduleAreas({ ...shown, storage }), files, modulePages(shown), sitePages(addresses)],
    health: new HealthRoutes(checks, metrics, peers),
    errors,
    metrics,
    serves: config.workers !== 'only',
    allowedOrigins: ({ state: site }) => hostSettings.value(site, 'allowed_origins'),
    log,
  });
  const server = await http.listen(config.port, config.host);
  stops.add('requests and jobs', async () => {
    jobs.releaseWaiting();
    services.host(RecordWatch).close();
    await Promise.all([http.close(server), jobs.rest()]);
  });
  const { port } = server.address() as AddressInfo;
  if (config.baseUrl === null) addresses.listensOn(port);
  await jobs.work(config.workers, state, settings);
  const watched = options.folders.filter((folder) => folder.watched);
  if (watched.length > 0) {
    const watch = new FolderWatch(watched, () => packages.noticedChange());
    stops.add('watch of folders', () => watch.stop());
    watch.start();
  }
  return {
    ...{ port, addresses, db, services, state, firstStart: created, stop },
    get modules() {
      return installed.current;
    },
    get routes() {
      return routes(installed.current);
    },
  };
}
