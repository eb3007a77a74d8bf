import type { Condition } from '../api/conditions.ts';
import type { ModuleDeclaration } from '../api/module.ts';
import type { Operation } from '../api/operation.ts';

type Optional =
  | 'description'
  | 'namespaces'
  | 'scopes'
  | 'defaultEnabled'
  | 'locked'
  | 'requires'
  | 'optional';
type Lists =
  | 'conditions'
  | 'capabilities'
  | 'settings'
  | 'settingRules'
  | 'postTypes'
  | 'taxonomies'
  | 'meta'
  | 'products'
  | 'tables';
type More =
  | 'migrations'
  | 'errors'
  | 'errorsElsewhere'
  | 'publicSegments'
  | 'pages'
  | 'areas'
  | 'shortcodes'
  | 'pageAdditions'
  | 'operations'
  | 'jobs'
  | 'schedules'
  | 'listeners'
  | 'hooks';

/** A checked declaration with every default filled in. */
export type ModuleSpec = Omit<ModuleDeclaration, Optional | Lists | More> &
  Required<Pick<ModuleDeclaration, Optional | Lists | More>>;

export type Source = 'builtin' | 'folder' | 'package';

export interface LoadError {
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

/** A package that was found. Without a usable declaration `spec` is null and `error` says why. */
export interface InstalledModule {
  readonly id: string;
  readonly version: string;
  readonly api: number;
  readonly source: Source;
  readonly folder: string;
  /** Of the files that were last tried, served or not; empty when they could not be read. */
  readonly hash: string;
  readonly spec: ModuleSpec | null;
  /** Why it does not work. Of a module that is served: why its newer version does not. */
  readonly error: LoadError | null;
  /** Whether its code may be asked: it loaded, was migrated and started. */
  readonly served: boolean;
}

/** All packages of the installation, by id; never changed, only replaced. */
export type InstalledModules = ReadonlyMap<string, InstalledModule>;

export function specOf(declaration: ModuleDeclaration): ModuleSpec {
  return {
    ...declaration,
    description: declaration.description ?? '',
    namespaces: declaration.namespaces ?? [],
    scopes: declaration.scopes ?? ['network', 'site'],
    defaultEnabled: declaration.defaultEnabled ?? false,
    locked: declaration.locked ?? false,
    requires: declaration.requires ?? [],
    optional: declaration.optional ?? [],
    conditions: declaration.conditions ?? [],
    capabilities: declaration.capabilities ?? {},
    settings: declaration.settings ?? {},
    settingRules: declaration.settingRules ?? [],
    postTypes: declaration.postTypes ?? [],
    taxonomies: declaration.taxonomies ?? [],
    meta: declaration.meta ?? [],
    products: declaration.products ?? [],
    tables: declaration.tables ?? {},
    migrations: declaration.migrations ?? [],
    errors: declaration.errors ?? {},
    errorsElsewhere: declaration.errorsElsewhere ?? {},
    publicSegments: [
      ...(declaration.publicSegments ?? []),
      ...(declaration.pages ?? []).map(({ path }) => path.split('/', 1)[0] ?? ''),
    ],
    pages: declaration.pages ?? [],
    areas: declaration.areas ?? [],
    shortcodes: declaration.shortcodes ?? [],
    pageAdditions: declaration.pageAdditions ?? [],
    operations: declaration.operations ?? [],
    jobs: declaration.jobs ?? [],
    schedules: declaration.schedules ?? [],
    listeners: declaration.listeners ?? [],
    hooks: declaration.hooks ?? {},
  };
}

/** Modules whose code works, in the order of the map. */
export function* specs(modules: InstalledModules): Iterable<ModuleSpec> {
  for (const module of modules.values()) if (module.spec && module.served) yield module.spec;
}

/** The module's error as a condition that operators see. */
export const loadedCondition = 'loaded';

/** Methods that reach an operation: a PATCH or PUT is also reached by the other editable methods. */
export function methodsOf(operation: Operation, taken: ReadonlySet<string>): string[] {
  if (operation.method === 'GET') return ['GET', 'HEAD'];
  if (operation.method !== 'PATCH' && operation.method !== 'PUT') return [operation.method];
  const others = ['POST', 'PUT', 'PATCH'].filter((m) => m !== operation.method && !taken.has(m));
  return [operation.method, ...others];
}

export type { Condition };
