import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type * as yup from 'yup';
import type { NamedCondition } from './conditions.ts';
import type { ErrorTable } from './errors.ts';
import type { Notice } from './notices.ts';
import type { Operation } from './operation.ts';
import type { Provide, Provider, Token } from './provider.ts';

export type Scope = 'network' | 'site';

/** Roles of a site, weakest first. */
export const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
export type Role = (typeof roles)[number];

export interface CapabilityDeclaration {
  readonly title: string;
  /** Roles that hold it; super admins hold every capability. */
  readonly roles: readonly Role[];
}

export interface SettingDeclaration {
  readonly title?: string;
  readonly schema: yup.AnySchema;
  readonly default: unknown;
  /** `site`: each site has its own value. `network`: one for the network. */
  readonly scope: Scope;
  /** Stored encrypted, shown as `********`. */
  readonly secret?: boolean;
  /**
   * Where the value lives when it is more than a setting of this module:
   * an option of the site or network under its own name, or a column of the site's row.
   */
  readonly stored?: { readonly option: string } | { readonly siteColumn: 'title' | 'description' };
}

export interface PostTypeDeclaration {
  readonly id: string;
  readonly title: string;
  /** Whose capabilities guard it. */
  readonly capabilities: 'post' | 'page';
  readonly hierarchical: boolean;
  readonly duplicable: boolean;
}

export interface TaxonomyDeclaration {
  readonly id: string;
  readonly title: string;
  readonly scope: Scope;
  readonly hierarchical: boolean;
  /** Two siblings may bear one name; a taken slug gets `-2`. */
  readonly namesMayRepeat: boolean;
}

/** A registered meta key of posts or terms: checked on write, followed by copies. */
export interface MetaDeclaration {
  readonly on: 'post' | 'term';
  /** Post types or taxonomies that have it. */
  readonly of: readonly string[];
  readonly key: string;
  readonly schema: yup.AnySchema;
  /** Shown when nothing is stored; absent: the key is then not shown. */
  readonly default?: unknown;
  /** No two records of a site share a value other than the default; a copy of one record leaves it out. */
  readonly unique?: boolean;
  /** What ids in the value refer to. */
  readonly refs?: 'post' | 'term' | 'attachment' | 'user';
  /** Default true. */
  readonly copy?: boolean;
  /** Written by services of the module only; a client's write is refused. */
  readonly readOnly?: boolean;
  /** Words of the value are found by `search`. */
  readonly searchable?: boolean;
}

export interface TableDeclaration {
  /** What a copy of the site does with the rows. Default `none`. */
  readonly copy: 'none' | 'rows';
}

/** A step of a module's own schema, run once, in a transaction of its own, in the order of the list. */
export interface Migration {
  readonly id: string;
  readonly up: (trx: Knex.Transaction) => Promise<void>;
}

export const defineMigration = (migration: Migration): Migration => migration;

/** What hooks and listeners are given. `trx` is the transaction of the change. */
export interface HookTools {
  readonly trx: Knex.Transaction;
  readonly log: Logger;
  get<T>(token: Token<T>): T;
}

export interface SiteRef {
  readonly blog_id: number;
  readonly network_id: number;
}

/** Where a toggle took effect; `blog_id` is null for the network scope. */
export interface ToggleRef {
  readonly scope: Scope;
  readonly network_id: number;
  readonly blog_id: number | null;
}

export interface Hooks {
  /** In one process, in the transaction of a toggle that switches the module on. 10 s; a throw undoes the toggle. */
  readonly onEnabled?: (toggle: ToggleRef, tools: HookTools) => Promise<void> | void;
  /** The same for a toggle that switches it off. */
  readonly onDisabled?: (toggle: ToggleRef, tools: HookTools) => Promise<void> | void;
  /** In the transaction that creates a site. */
  readonly onSiteCreated?: (site: SiteRef, tools: HookTools) => Promise<void> | void;
  /** In the transaction that removes a site. */
  readonly onSiteRemoved?: (site: SiteRef, tools: HookTools) => Promise<void> | void;
  /** In every process, after migrations. 10 s. */
  readonly start?: (tools: Omit<HookTools, 'trx'>) => Promise<void> | void;
  /** In every process, at shutdown. 10 s. */
  readonly stop?: () => Promise<void> | void;
}

/** A module's interest in a notice. Runs inside the transaction that causes it, whether the module is on or off. */
export interface Listener {
  readonly notice: Notice['kind'];
  readonly react: (notice: Notice, tools: HookTools) => Promise<void>;
}

/** Types a listener by the notice it waits for. */
export function on<K extends Notice['kind']>(
  notice: K,
  react: (notice: Extract<Notice, { kind: K }>, tools: HookTools) => Promise<void>,
): Listener {
  return { notice, react: react as Listener['react'] };
}

export interface ModuleDeclaration {
  /** `[a-z][a-z0-9_]{1,40}`, equal to the one in package.json. */
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly namespaces?: readonly string[];
  /** Where it may be switched. Default both. */
  readonly scopes?: readonly Scope[];
  readonly defaultEnabled?: boolean;
  /** Always on. */
  readonly locked?: boolean;
  /** Modules that must be on for this one to be. */
  readonly requires?: readonly string[];
  /** Modules whose api it uses when they are installed. */
  readonly optional?: readonly string[];
  readonly conditions?: readonly NamedCondition[];
  readonly capabilities?: Readonly<Record<string, CapabilityDeclaration>>;
  readonly settings?: Readonly<Record<string, SettingDeclaration>>;
  readonly postTypes?: readonly PostTypeDeclaration[];
  readonly taxonomies?: readonly TaxonomyDeclaration[];
  readonly meta?: readonly MetaDeclaration[];
  readonly tables?: Readonly<Record<string, TableDeclaration>>;
  readonly migrations?: readonly Migration[];
  readonly errors?: ErrorTable;
  /** Codes of this module that its rules make other modules' operations throw: operation id → codes. */
  readonly errorsElsewhere?: Readonly<Record<string, readonly string[]>>;
  /** First path segments below a site that the module serves; no site may take them as its slug. */
  readonly publicSegments?: readonly string[];
  readonly operations?: readonly Operation[];
  readonly listeners?: readonly Listener[];
  readonly services?: (provide: Provide) => readonly Provider[];
  readonly hooks?: Hooks;
}

/** Declares a module. Only data and functions: nothing happens until the host has checked it. */
export const defineModule = (declaration: ModuleDeclaration): ModuleDeclaration => declaration;
