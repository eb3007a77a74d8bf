import { isIP } from 'node:net';
import * as yup from 'yup';
import { parseStorageUrl, STORAGE_URL_FORMS } from '../core/files/storage-url.ts';

/** One variable of the environment: its schema, and what to say when the value is wrong. */
export interface Variable {
  readonly schema: yup.AnySchema;
  /** Completes "… is given, allowed is". */
  readonly allowed: string;
  /** For the table in the README. */
  readonly meaning: string;
  /** Its value is never repeated in a message. */
  readonly secret?: true;
}

const text = () => yup.string().trim();

/** Host and path have the forms in which sites are looked for: another would never be found. */
function isSiteUrl(value: string | undefined): boolean {
  if (value === undefined) return true;
  const url = URL.parse(value);
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '' &&
    /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)$/.test(url.hostname) &&
    /^(\/[a-z0-9-]{1,63}){0,3}\/?$/.test(url.pathname)
  );
}

function isListenAddress(value: string | undefined): boolean {
  if (value === undefined || isIP(value) !== 0) return true;
  // What is all digits and dots would have to be an address.
  return /^[A-Za-z0-9.-]{1,253}$/.test(value) && !/^[\d.]+$/.test(value);
}

function isStorageUrl(value: string | undefined): boolean {
  if (value === undefined) return true;
  try {
    parseStorageUrl(value);
    return true;
  } catch {
    return false;
  }
}

function isProxyList(value: string | undefined): boolean {
  return (value ?? '').split(',').every((entry) => {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    if (entry.trim() === '') return true;
    if (rest.length > 0 || isIP(address) === 0) return false;
    if (bits === undefined) return true;
    return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
  });
}

const startsWith =
  (...prefixes: string[]) =>
  (value: string | undefined): boolean =>
    value === undefined || prefixes.some((prefix) => value.startsWith(prefix));

export const variables = {
  PORT: {
    // `Number` would read "0x50" and "1e3" too.
    schema: yup
      .number()
      .transform((read: number, given: unknown) => (/^\d{1,5}$/.test(String(given)) ? read : Number.NaN))
      .integer()
      .min(0)
      .max(65535)
      .default(8080),
    allowed: 'a port from 0 to 65535 (0: any free one)',
    meaning: 'where it listens',
  },
  HOST: {
    schema: text().test(isListenAddress).default('127.0.0.1'),
    allowed: 'an address or host name of this machine',
    meaning: 'where it listens',
  },
  DATA_DIR: {
    schema: text().min(1).default('./data'),
    allowed: 'a folder',
    meaning: 'embedded database, uploads, outbox, generated secret',
  },
  DATABASE_URL: {
    schema: text().test(startsWith('postgres://', 'postgresql://')),
    allowed: 'a postgres:// URL',
    meaning: 'an existing PostgreSQL 14 or later; without it one is embedded in `DATA_DIR`',
    secret: true,
  },
  BASE_URL: {
    schema: text().test(isSiteUrl),
    allowed:
      'an http:// or https:// URL without query, with a path of at most three segments of a-z, 0-9 and -',
    meaning:
      "address of the first network's main site, used at first start; its scheme and port stay in force",
  },
  API_ROOT: {
    schema: text()
      .matches(/^[a-z][a-z0-9-]{0,30}$/)
      .notOneOf(['files', 'docs', 'console', 'healthz', 'readyz', 'metrics'])
      .default('api'),
    allowed: 'one path segment of a-z, 0-9 and - that the host does not use itself (files, docs, console…)',
    meaning: 'the REST root path segment',
  },
  MULTISITE: {
    schema: yup
      .string()
      .oneOf(['subdirectory', 'subdomain', 'off'] as const)
      .default('subdirectory'),
    allowed: 'subdirectory, subdomain or off',
    meaning: 'sites by path, sites by host name, or a single site',
  },
  ADMIN_LOGIN: {
    schema: text()
      .matches(/^[a-z0-9._@-]{3,60}$/)
      .default('admin'),
    allowed: '3 to 60 characters of a-z, 0-9, . _ @ -',
    meaning: 'the first super admin, used at first start',
  },
  ADMIN_EMAIL: {
    schema: text()
      .matches(/^[^\s@]{1,64}@[^\s@]{1,190}$/)
      .default('admin@localhost'),
    allowed: 'an e-mail address',
    meaning: 'his address',
  },
  ADMIN_PASSWORD: {
    schema: yup.string().min(8).max(256),
    allowed: '8 to 256 characters',
    meaning: 'his password; without it one is generated and printed once',
    secret: true,
  },
  SECRET_KEY: {
    schema: yup.string().min(32).max(1024),
    allowed: 'at least 32 characters',
    meaning: 'signs nonces and one-time tokens; generated into `DATA_DIR`; required with `DATABASE_URL`',
    secret: true,
  },
  SMTP_URL: {
    schema: text().test(startsWith('smtp://', 'smtps://')),
    allowed: 'an smtp:// or smtps:// URL',
    meaning: 'where mails go; without it they become `.eml` files in `DATA_DIR/outbox`',
    secret: true,
  },
  STORAGE_URL: {
    schema: text().test(isStorageUrl),
    allowed: STORAGE_URL_FORMS,
    meaning: 'where files lie; without it a folder under `DATA_DIR`',
  },
  MODULES_PATH: {
    schema: text().default(''),
    allowed: 'folders that can be read, separated by ":"',
    meaning: 'further folders of module packages, watched',
  },
  WORKERS: {
    schema: yup
      .string()
      .oneOf(['inline', 'off', 'only'] as const)
      .default('inline'),
    allowed: 'inline, off or only',
    meaning:
      'serve and run jobs, serve only, or run jobs only (then just `/healthz`, `/readyz`, `/metrics` answer)',
  },
  TRUSTED_PROXIES: {
    schema: text().test(isProxyList).default(''),
    allowed: 'addresses or CIDR ranges, separated by commas',
    meaning: 'addresses whose `X-Forwarded-*` are believed',
  },
  LOG_LEVEL: {
    schema: yup
      .string()
      .oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const)
      .default('info'),
    allowed: 'trace, debug, info, warn, error or silent',
    meaning: 'JSON lines on standard output, pretty on a terminal',
  },
} as const satisfies Record<string, Variable>;
