import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as yup from 'yup';
import { parseStorageUrl } from '../core/files/storage-url.ts';
import { type Variable, variables } from './schema.ts';

export type Multisite = 'subdirectory' | 'subdomain' | 'off';
export type Workers = 'inline' | 'off' | 'only';
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Everything the host is told from outside. Folders are absolute. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** null: the embedded database. */
  readonly databaseUrl: string | null;
  /** null: `http://localhost:<port that it listens on>`. */
  readonly baseUrl: URL | null;
  readonly apiRoot: string;
  readonly multisite: Multisite;
  readonly admin: { readonly login: string; readonly email: string; readonly password: string | null };
  readonly secretKey: string;
  readonly smtpUrl: string | null;
  readonly storageUrl: string;
  /** Further folders of module packages. */
  readonly modulesPath: readonly string[];
  readonly workers: Workers;
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
}

/** A wrong variable: one line that names it, what was given and what is allowed. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

function wrong(name: string, given: string, variable: Variable): ConfigError {
  const shown = variable.secret ? 'a wrong value' : `"${given.slice(0, 100)}"`;
  return new ConfigError(`${name}: ${shown} is given, allowed is ${variable.allowed}.`);
}

function readAll(environment: Environment): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries<Variable>(variables)) {
    const given = environment[name];
    try {
      values[name] = variable.schema.validateSync(given === '' ? undefined : given);
    } catch (error) {
      if (!(error instanceof yup.ValidationError)) throw error;
      throw wrong(name, given ?? '', variable);
    }
  }
  return values;
}

/** Reads the environment and, in `DATA_DIR`, the generated secret; throws `ConfigError`. */
export function loadConfig(environment: Environment): Config {
  const read = readAll(environment) as {
    [Name in keyof typeof variables]: yup.InferType<(typeof variables)[Name]['schema']>;
  };
  const dataDir = path.resolve(read.DATA_DIR);
  if (read.DATABASE_URL && !read.SECRET_KEY) {
    throw new ConfigError(
      `SECRET_KEY: nothing is given, allowed with DATABASE_URL is ${variables.SECRET_KEY.allowed}.`,
    );
  }
  makeFolder('DATA_DIR', dataDir);
  const storageUrl = read.STORAGE_URL ?? pathToFileURL(path.join(dataDir, 'files')).href;
  const storage = parseStorageUrl(storageUrl);
  if (storage.kind === 'folder') makeFolder(read.STORAGE_URL ? 'STORAGE_URL' : 'DATA_DIR', storage.folder);
  return {
    port: read.PORT,
    host: read.HOST,
    dataDir,
    databaseUrl: read.DATABASE_URL ?? null,
    baseUrl: read.BASE_URL === undefined ? null : new URL(read.BASE_URL),
    apiRoot: read.API_ROOT,
    multisite: read.MULTISITE,
    admin: { login: read.ADMIN_LOGIN, email: read.ADMIN_EMAIL, password: read.ADMIN_PASSWORD ?? null },
    secretKey: read.SECRET_KEY ?? keptSecret(path.join(dataDir, 'secret.key')),
    smtpUrl: read.SMTP_URL ?? null,
    storageUrl,
    modulesPath: readFolders(read.MODULES_PATH),
    workers: read.WORKERS,
    trustedProxies: read.TRUSTED_PROXIES.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
    logLevel: read.LOG_LEVEL,
  };
}

/** They must be there: a misspelt one would be a module that is missing without a word. */
function readFolders(given: string): string[] {
  const folders = given
    .split(':')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => path.resolve(entry.trim()));
  for (const folder of folders) {
    try {
      accessSync(folder, constants.R_OK | constants.X_OK);
      if (!statSync(folder).isDirectory()) throw new Error('it is no folder');
    } catch (error) {
      const why = (error as Error).message;
      throw new ConfigError(
        `MODULES_PATH: "${folder}" cannot be read (${why}), allowed is ${variables.MODULES_PATH.allowed}.`,
      );
    }
  }
  return [...new Set(folders)];
}

/** The folder of a variable, made with its parents where it is not there. */
function makeFolder(name: string, folder: string): void {
  try {
    makeWithParents(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(
      `${name}: "${folder}" cannot be used (${(error as Error).message}), allowed is a folder that can be written.`,
    );
  }
}

/** `mkdirSync` with `recursive` never returns below a folder that takes no folders, such as `/proc`. */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeWithParents(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process of the installation starts at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** The secret of an installation whose database is embedded: made once, readable by its owner alone. */
function keptSecret(file: string): string {
  const make = randomBytes(32).toString('base64url');
  try {
    writeFileSync(file, make, { mode: 0o600, flag: 'wx' });
    return make;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new ConfigError(`DATA_DIR: ${file} cannot be written (${(error as Error).message}).`);
    }
    return readFileSync(file, 'utf8');
  }
}
