import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { fallBack } from '../discovery/fall-back.ts';
import { loadPackage } from '../discovery/load-package.ts';
import type { Member, SwapPlan } from '../discovery/plan-swap.ts';
import { type CodeCopy, copyOf, enterCopies } from '../discovery/resolve-hooks.ts';
import { checkTogether } from '../registry/check-together.ts';
import type { InstalledModule, InstalledModules, ModuleSpec } from '../registry/spec.ts';
import type { Services } from './container.ts';
import { migrateModules, startModules, stopModules } from './module-start.ts';

export interface SwapParts {
  readonly db: Database;
  readonly services: Services;
  readonly log: Logger;
}

/** The modules as they would be, not yet served. */
export interface Swap {
  readonly modules: InstalledModules;
  /** Copies of the code of members that would be served. */
  readonly copies: ReadonlyMap<string, CodeCopy>;
}

/** Loads, checks, migrates and starts what the plan names, beside what is served. Nothing is served by it yet. */
export async function prepareSwap(plan: SwapPlan, parts: SwapParts): Promise<Swap> {
  const { members, rest } = plan;
  const { db, services, log } = parts;
  const copies = new Map(members.map(({ id, found }) => [id, copyOf(found.folder, found.hash, true)]));
  enterCopies(copies);
  const loaded = await Promise.all(members.map((member) => load(member, copies)));
  let now: InstalledModules = new Map([...rest, ...loaded.map((module) => [module.id, module] as const)]);
  now = fallBack(members, now);
  now = fallBack(members, checkTogether(now, bySeniority(plan)));
  now = fallBack(members, await migrateModules(db, now, fresh(members, now), log));
  const starting = fresh(members, now);
  now = fallBack(members, await startModules(now, starting, services, log));
  // Old code that stays may hold what a newcomer was about to take.
  now = checkTogether(now, bySeniority(plan));
  const served = new Set(fresh(members, now));
  await stopModules(
    starting.filter((spec) => !served.has(spec)),
    log,
  );
  const kept = [...copies].filter(([id]) => {
    const spec = now.get(id)?.spec;
    return spec && served.has(spec);
  });
  return { modules: now, copies: new Map(kept) };
}

function load({ id, found }: Member, copies: ReadonlyMap<string, CodeCopy>): Promise<InstalledModule> {
  const copy = copies.get(id);
  if (!copy) throw new Error(`No copy of ${id} was made.`);
  return loadPackage(found, copy);
}

/** Who was there first keeps what two claim. */
function bySeniority({ members, rest }: SwapPlan): string[] {
  const old = members.filter(({ served }) => served !== null);
  const young = members.filter(({ served }) => served === null);
  return [...rest.keys(), ...old.map(({ id }) => id), ...young.map(({ id }) => id)];
}

/** New code of members that works so far. */
function fresh(members: readonly Member[], now: InstalledModules): ModuleSpec[] {
  return members.flatMap(({ id, served }) => {
    const module = now.get(id);
    return module?.served && module.spec && module.spec !== served?.spec ? [module.spec] : [];
  });
}
