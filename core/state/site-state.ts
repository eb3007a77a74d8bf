import type { Knex } from 'knex';
import type { NamedStatement } from '../db/database.ts';
import { conditionHolds, type Facts, type Standing, standings, type Wishes } from '../registry/effective.ts';
import type { InstalledModules, LoadError, ModuleSpec } from '../registry/spec.ts';
import { optionOf, settingFrom } from '../settings/setting-options.ts';

export type Options = ReadonlyMap<string, unknown>;

/** Everything that decides what a site serves, as of one revision. Never changed, only replaced. */
export interface SiteState {
  readonly revision: number;
  readonly blogId: number;
  readonly networkId: number;
  readonly networkCommitted: boolean;
  /** Why modules are off that crashed too often, by id. */
  readonly crashed: ReadonlyMap<string, LoadError>;
  readonly networkOptions: Options;
  readonly siteOptions: Options;
  readonly wishes: Wishes;
  readonly facts: Facts;
  /** The packages that it was computed from. */
  readonly modules: InstalledModules;
  readonly standings: ReadonlyMap<string, Standing>;
  isOn(id: string): boolean;
  holds(spec: ModuleSpec, when: Parameters<typeof conditionHolds>[0]): boolean;
}

/** Facts that are the same for the whole process. */
export interface ProcessFacts {
  readonly single: boolean;
  commandFound(name: string): boolean;
}

export interface SiteStateRow {
  readonly blog_id: number;
  readonly revision: number;
  readonly packages_generation: number;
  readonly committed: boolean;
  readonly network_id: number;
  readonly title: string;
  readonly description: string;
  readonly network_options: Record<string, unknown> | null;
  readonly site_options: Record<string, unknown> | null;
  readonly crashed: Record<string, LoadError> | null;
}

/** One statement, hence one moment: the revision is that of the options it comes with. */
const siteStates = `select s.blog_id, i.revision, i.packages_generation,
    i.multi_network_at is not null as committed, s.network_id, s.title,
    s.description,
    (select jsonb_object_agg(o.name, o.value) from network_options o where o.network_id = s.network_id)
      as network_options,
    (select jsonb_object_agg(o.name, o.value) from site_options o where o.blog_id = s.blog_id) as site_options,
    (select jsonb_object_agg(m.id, m.error) from module_state m where m.error is not null) as crashed
    from sites s cross join installation i`;

export const selectSiteState: NamedStatement = {
  name: 'site-state',
  text: `${siteStates} where s.blog_id = $1`,
};

export const selectSiteStates: NamedStatement = {
  name: 'site-states',
  text: `${siteStates} where s.blog_id = any($1)`,
};

const wishPrefix = 'module:';

/** Name of the option that keeps the wish about a module. */
export const wishOption = (id: string): string => `${wishPrefix}${id}`;

function wishesIn(options: Options): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const [name, value] of options) {
    if (typeof value === 'boolean' && name.startsWith(wishPrefix) && !name.includes(':', wishPrefix.length)) {
      found.set(name.slice(wishPrefix.length), value);
    }
  }
  return found;
}

/** What the network's administrators let sites decide for themselves. */
export interface OverrideRule {
  readonly siteOverrides: boolean;
  readonly noOverride: ReadonlySet<string>;
}

/** The rule that these options of a network hold. Sites may override unless it says otherwise. */
export function overrideRule(networkOptions: Options): OverrideRule {
  const listed = networkOptions.get(optionOf('modules', 'no_override', undefined));
  return {
    siteOverrides: networkOptions.get(optionOf('modules', 'site_overrides', undefined)) !== false,
    noOverride: new Set(Array.isArray(listed) ? (listed as string[]) : []),
  };
}

export function buildSiteState(
  row: SiteStateRow,
  modules: InstalledModules,
  process: ProcessFacts,
): SiteState {
  const networkOptions = new Map(Object.entries(row.network_options ?? {}));
  const siteOptions = new Map(Object.entries(row.site_options ?? {}));
  siteOptions.set('title', row.title).set('description', row.description);
  const rule = overrideRule(networkOptions);
  const overrides = [...wishesIn(siteOptions)].filter(
    ([id]) => rule.siteOverrides && !rule.noOverride.has(id) && !process.single,
  );
  const wishes: Wishes = { network: wishesIn(networkOptions), site: new Map(overrides) };
  const crashed = new Map(Object.entries(row.crashed ?? {}));
  const facts: Facts = {
    networkCommitted: row.committed,
    crashed,
    setting: (spec, name) => settingFrom(spec, name, networkOptions, siteOptions),
    commandFound: process.commandFound,
  };
  const standing = standings(modules, wishes, facts);
  const isOn = (id: string): boolean => standing.get(id)?.enabled ?? false;
  return {
    revision: row.revision,
    blogId: row.blog_id,
    networkId: row.network_id,
    networkCommitted: row.committed,
    crashed,
    networkOptions,
    siteOptions,
    wishes,
    facts,
    modules,
    standings: standing,
    isOn,
    holds: (spec, when) => conditionHolds(when, spec, modules, facts, isOn),
  };
}

/** Announces that wishes, settings or the commit changed; part of the transaction that changed them. */
export async function bumpRevision(trx: Knex.Transaction): Promise<number> {
  const { rows } = (await trx.raw(
    `with bumped as (update installation set revision = revision + 1 returning revision)
     select revision, pg_notify('lyceum', json_build_object('kind', 'revision', 'revision', revision)::text)
     from bumped`,
  )) as { rows: { revision: number }[] };
  return rows[0]?.revision ?? 0;
}
