import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import type { Found } from '../discovery/find-packages.ts';
import type { InstalledModule, InstalledModules, LoadError } from '../registry/spec.ts';
import { audit } from '../state/audit.ts';

/** Ids, in order. */
export interface PackageChanges {
  /** Served now, and not before. */
  readonly loaded: readonly string[];
  /** Served before too, by other code. */
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}

/** What is wrong with a folder. */
export interface PackageError {
  readonly path: string;
  readonly id: string | null;
  readonly code: string;
  readonly message: string;
}

export interface Difference {
  readonly changes: PackageChanges;
  readonly errors: readonly PackageError[];
  /** Modules whose error is new. */
  readonly failed: readonly { readonly id: string; readonly error: LoadError }[];
}

/** What a look changed, and every fault that there is after it. */
export function changesBetween(before: InstalledModules, after: InstalledModules, found: Found): Difference {
  const served = [...after.values()].filter((module) => module.served);
  const loaded = served.filter(({ id }) => !before.get(id)?.served);
  const updated = served.filter((module) => {
    const old = before.get(module.id);
    return old?.served && old.spec !== module.spec && (old.hash !== module.hash || old.error !== null);
  });
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const ids = (modules: readonly InstalledModule[]): string[] => modules.map(({ id }) => id).sort();
  return {
    changes: { loaded: ids(loaded), updated: ids(updated), removed: removed.sort() },
    errors: errorsOf(after, found),
    failed: [...after.values()].flatMap(({ id, error }) =>
      error && !isSame(error, before.get(id)?.error) ? [{ id, error }] : [],
    ),
  };
}

const isSame = (error: LoadError, other: LoadError | null | undefined): boolean =>
  error.code === other?.code && error.message === other.message;

function errorsOf(modules: InstalledModules, found: Found): PackageError[] {
  const own = [...modules.values()].flatMap(({ id, folder, error }) =>
    error ? [{ path: folder, id, code: error.code, message: error.message }] : [],
  );
  const listed = new Set(own.map(({ path }) => path));
  const others = found.faults
    .filter(({ folder }) => !listed.has(folder))
    .map(({ folder, id, code, message }) => ({ path: folder, id, code, message }));
  return [...own, ...others].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The same for two processes whose folders hold the same. */
export function seenOf(modules: InstalledModules): string {
  const lines = [...modules.values()].map(
    ({ id, version, hash, error, served }) => `${id} ${version} ${hash} ${error?.code ?? ''} ${served}`,
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

/** One row for what came, went or changed, and one for each module that has a new error. */
export async function auditPackages(
  trx: Knex.Transaction,
  actor: Actor,
  before: InstalledModules,
  after: InstalledModules,
  found: Found,
): Promise<void> {
  const { changes, failed } = changesBetween(before, after, found);
  const touched = [...changes.loaded, ...changes.updated, ...changes.removed].sort();
  const versions = (modules: InstalledModules): Record<string, string | null> =>
    Object.fromEntries(
      touched.map((id) => {
        const module = modules.get(id);
        return [id, module?.served ? module.version : null];
      }),
    );
  const entry = { module: 'modules', scope: 'network', blogId: null };
  if (touched.length > 0) {
    const [from, to] = [versions(before), versions(after)];
    await audit(trx, actor, { ...entry, action: 'module.rescan', subject: 'installation:1', from, to });
  }
  for (const { id, error } of failed) {
    const { code, message } = error;
    const from = before.get(id)?.error ?? null;
    await audit(trx, actor, {
      ...entry,
      action: 'module.error',
      subject: `module:${id}`,
      from: from && { code: from.code, message: from.message },
      to: { code, message },
    });
  }
}
