import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { Condition } from '../../core/api/conditions.ts';
import { builtinFolder } from '../../core/boot/host.ts';
import { loadModules } from '../../core/discovery/load-modules.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../../core/registry/spec.ts';
import { optionOf } from '../../core/settings/setting-options.ts';
import { bumpRevision, wishOption } from '../../core/state/site-state.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

/** Every module that comes with the host, as its declaration says. */
export const builtinModules = (): Promise<InstalledModules> =>
  loadModules([builtinFolder], null, pino({ level: 'silent' }));

/** All conditions of a module and of its operations. */
const conditionsOf = (spec: ModuleSpec): Condition[] => [
  ...spec.conditions.map(({ when }) => when),
  ...spec.operations.flatMap(({ when }) => when ?? []),
];

/** The conditions that must hold for `when` to hold; of alternatives the first. */
function simple(when: Condition): Condition[] {
  if (when.kind === 'all') return when.of.flatMap(simple);
  if (when.kind === 'any') return when.of.slice(0, 1).flatMap(simple);
  return [when];
}

/** Packages that builtin modules wait for, each an empty one; they are what makes such a module switchable. */
async function awaitedPackages(modules: InstalledModules): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-awaited-'));
  const awaited = [...specs(modules)]
    .flatMap(conditionsOf)
    .flatMap(simple)
    .flatMap((when) => (when.kind === 'installed' && !modules.has(when.id) ? [when.id] : []));
  for (const id of new Set(awaited)) {
    const manifest = {
      name: id,
      version: '1.0.0',
      type: 'module',
      lyceum: { id, api: 1, main: './module.js' },
    };
    await mkdir(path.join(folder, id));
    await writeFile(path.join(folder, id, 'package.json'), JSON.stringify(manifest));
    await writeFile(
      path.join(folder, id, 'module.js'),
      `import { defineModule } from '@lyceum/core';\nexport default defineModule({ id: '${id}', title: '${id}' });\n`,
    );
  }
  return folder;
}

type Rows = Map<string, unknown>;

/** Options of network 1 and site 1 under which every module is on. */
function wishes(modules: InstalledModules): { network: Rows; site: Rows } {
  const found = { network: new Map<string, unknown>(), site: new Map<string, unknown>() };
  for (const spec of specs(modules)) {
    if (!spec.locked) found.network.set(wishOption(spec.id), true);
    for (const when of conditionsOf(spec).flatMap(simple)) {
      const setting = when.kind === 'settingIs' ? spec.settings[when.name] : undefined;
      if (when.kind !== 'settingIs' || !setting) continue;
      found[setting.scope].set(optionOf(spec.id, when.name, setting), when.value);
    }
  }
  return found;
}

/** Writes the wish about one module for network 1, as an administrator's toggle does. */
export async function wish(lyceum: TestHost, id: string, enabled: boolean): Promise<void> {
  await lyceum.host.db.transaction(async (trx) => {
    const row = { network_id: 1, name: wishOption(id), value: JSON.stringify(enabled) };
    await trx('network_options').insert(row).onConflict(['network_id', 'name']).merge(['value']);
    await bumpRevision(trx);
  });
}

/** Switches on all that can be on: wishes, settings that conditions ask for, the multi-network commit. */
export async function switchEverythingOn({ host }: TestHost): Promise<void> {
  const { network, site } = wishes(host.modules);
  await host.db.transaction(async (trx) => {
    for (const [name, value] of network) {
      const row = { network_id: 1, name, value: JSON.stringify(value) };
      await trx('network_options').insert(row).onConflict(['network_id', 'name']).merge(['value']);
    }
    for (const [name, value] of site) {
      const row = { blog_id: 1, name, value: JSON.stringify(value) };
      await trx('site_options').insert(row).onConflict(['blog_id', 'name']).merge(['value']);
    }
    await trx('installation').whereNull('multi_network_at').update({ multi_network_at: trx.fn.now() });
    await bumpRevision(trx);
  });
}

/** The host with every module of the installation, all of them on. */
export async function startWithEverythingOn(): Promise<TestHost> {
  const folder = await awaitedPackages(await builtinModules());
  try {
    const lyceum = await startTestHost({ folders: [folder] });
    await switchEverythingOn(lyceum);
    return lyceum;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
