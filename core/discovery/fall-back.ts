import { namedBy } from '../registry/requirement-order.ts';
import type { InstalledModule, InstalledModules } from '../registry/spec.ts';
import { errorNow } from './load-package.ts';
import type { Member } from './plan-swap.ts';

/**
 * What becomes of members of which some failed: the served modules that name each other take the place of their
 * predecessors together or not at all, because each holds on to the code of the others. A new package that names one
 * of which the old code stays waits with it. A new package that fails keeps nobody from anything.
 * @param tried what each member is by now
 */
export function fallBack(members: readonly Member[], tried: InstalledModules): InstalledModules {
  const culprits = new Map<string, string>();
  for (const { id } of members) if (!tried.get(id)?.served) culprits.set(id, id);
  for (let before = -1; before !== culprits.size; ) {
    before = culprits.size;
    for (const member of members) {
      const cause = culprits.has(member.id) ? undefined : causeOf(member, members, tried, culprits);
      if (cause) culprits.set(member.id, cause);
    }
  }
  const now = new Map(tried);
  for (const member of members) {
    const culprit = culprits.get(member.id);
    if (culprit !== undefined) now.set(member.id, fallen(member, culprit, tried));
  }
  return now;
}

/** The failed module that this one cannot be without, if any. */
function causeOf(
  member: Member,
  members: readonly Member[],
  tried: InstalledModules,
  culprits: ReadonlyMap<string, string>,
): string | undefined {
  for (const other of members) {
    const culprit = culprits.get(other.id);
    if (culprit === undefined || !other.served) continue;
    const names = knows(member, tried).has(other.id);
    if (names || (member.served && knows(other, tried).has(member.id))) return culprit;
  }
  return undefined;
}

/** Ids that the member names, in its old code or in the new. */
function knows({ id, served }: Member, tried: InstalledModules): ReadonlySet<string> {
  const specs = [served?.spec, tried.get(id)?.spec];
  return new Set(specs.flatMap((spec) => (spec ? namedBy(spec) : [])));
}

function fallen(
  { id, found, served, changed }: Member,
  culprit: string,
  tried: InstalledModules,
): InstalledModule {
  const { version, api, source, folder, hash } = found;
  const waits = `It waits: the new code of "${culprit}", which goes together with it, does not work.`;
  const own = tried.get(id);
  const error = own && !own.served && own.error ? own.error : errorNow('load_failed', waits);
  // What did not change itself has nothing to mend.
  if (served) return changed || culprit === id ? { ...served, hash, error } : served;
  return { id, version, api, source, folder, hash, spec: own?.spec ?? null, error, served: false };
}
