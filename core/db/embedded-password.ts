import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder, readIfPresent } from './embedded-files.ts';

const passwordFile = (dataDir: string): string => path.join(dataDir, 'postgres.password');

/** 256 random bits, safe inside an SQL string and a URL. */
export function newPassword(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored password; null when there is none, or only half of one. */
export async function readPassword(dataDir: string): Promise<string | null> {
  const stored = await readIfPresent(passwordFile(dataDir));
  return /^[\w-]{43}\n$/.test(stored ?? '') ? (stored as string).trim() : null;
}

/** Stores the password whole or not at all, for the host's own user alone (mode 0600). */
export async function storePassword(dataDir: string, password: string): Promise<void> {
  const temporary = `${passwordFile(dataDir)}.new`;
  await rm(temporary, { force: true });
  await writeFile(temporary, `${password}\n`, { mode: 0o600, flush: true });
  await rename(temporary, passwordFile(dataDir));
  await flushFolder(dataDir);
}
