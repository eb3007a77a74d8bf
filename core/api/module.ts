import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type * as yup from 'yup';
import type { Actor } from './actor.ts';
import type { ServedArea } from './area.ts';
import type { NamedCondition } from './conditions.ts';
import type { ErrorTable } from './errors.ts';
import type { Job } from './job.ts';
import type { Notice, NoticeKind } from './notices.ts';
import type { Operation } from './operation.ts';
import type { SitePage } from './page.ts';
import type { Provide, Provider, Token } from './provider.ts';
import type { Schedule } from './schedule.ts';
import type { PageAddition, Shortcode } from './shortcode.ts';

/** Where a switch or a value lives: once per network, or once per site. */
export type Scope = 'network' | 'site';

/** Roles of a site, weakest first. */
export const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
/** A role on one site; the host knows no others. */
export type Role = (typeof roles)[number];

/** A capability of the module's own; its name is the key, `[a-z][a-z0-9_]*`, and none of the host's. */
export interface CapabilityDeclaration {
  readonly title: string;
  /** Roles that hold it; super admins hold every capability. */
  readonly roles: readonly Role[];
}

/** A setting of the module: checked by its schema on write, its default filled in on read. */
export interface SettingDeclaration {
  readonly title?: string;
  readonly schema: yup.AnySchema;
  readonly default: unknown;
  /** `site`: each site has its own value. `network`: one for the network. */
  readonly scope: Scope;
  /** Stored encrypted, shown as `********`. */
  readonly secret?: boolean;
  /**
   * A URL that the host is to call, or empty. One that names an address inside, which `outbound_allow` does not, is
   * refused when it is written; names are checked when they are called.
   */
  readonly called?: boolean;
  /**
   * Where the value lives when it is more than a setting of this module:
   * an option of the site or network under its own name, or a column of the site's row.
   */
  readonly stored?: { readonly option: string } | { readonly siteColumn: 'title' | 'description' };
}

/** What settings of a module must be to each other, or to their site. Asked whenever one of them is written. */
export interface SettingRule {
  /** Names of the settings that it is about; the one that is written is named in the refusal. */
  readonly of: readonly string[];
  /** What is wrong with the values as they would be, by name, on the site; null when nothing is. */
  readonly problem: (
    values: Readonly<Record<string, unknown>>,
    site: { readonly url: string },
  ) => string | null;
}

/** A type of posts. The id is unique in the installation; where its module is off, the type is unknown. */
export interface PostTypeDeclaration {
  readonly id: string;
  readonly title: string;
  /** Whose capabilities guard it. */
  readonly capabilities: 'post' | 'page';
  readonly hierarchical: boolean;
  readonly duplicable: boolean;
}

/** A kind of terms, each of a network or of a site. The id is unique in the installation. */
export interface TaxonomyDeclaration {
  readonly id: string;
  readonly title: string;
  readonly scope: Scope;
  readonly hierarchical: boolean;
  /** Two siblings may bear one name; a taken slug gets `-2`. */
  readonly namesMayRepeat: boolean;
  /** A new term goes to the end: greatest order + 1. Default false: order 0. */
  readonly ordered?: boolean;
}

/** A registered meta key of posts or terms: checked on write, followed by copies. */
export interface MetaDeclaration {
  readonly on: 'post' | 'term';
  /** Post types or taxonomies that have it. */
  readonly of: readonly string[];
  readonly key: string;
  readonly schema: yup.AnySchema;
  /** Mends what a client sends before the schema sees it: trims, or puts a word for an empty text. */
  readonly normalize?: (given: unknown) => unknown;
  /** Shown when nothing is stored; absent: the key is then not shown. */
  readonly default?: unknown;
  /** Name of a setting of the module whose value on the site takes the place of `default`. */
  readonly defaultSetting?: string;
  /**
   * No two records of a site share a value; a copy of one record leaves it out. A migration of the module makes
   * the unique index; a write that it refuses is answered with `code`, and `data.post_id` names the other record.
   */
  readonly unique?: { readonly index: string; readonly code: string };
  /** What ids in the value refer to. */
  readonly refs?: 'post' | 'term' | 'attachment' | 'user';
  /** Default true. */
  readonly copy?: boolean;
  /** Written by services of the module only; a client's write is refused. */
  readonly readOnly?: boolean;
  /** Words of the value are found by `search`. */
  readonly searchable?: boolean;
}

/** What the ids in a column of a module's table are of: of records of the host, or of rows of a table, `module:<table>`. */
export type TableReference = 'post' | 'term' | 'attachment' | 'user' | `module:${string}`;

/**
 * A table of the module's migrations that has a `blog_id`. Its rows go when the site is purged.
 *
 * Copied rows get the new site's `blog_id`, new ids where the primary key is one generated integer, and the site's
 * URLs rewritten in their texts and JSON. The table must have a primary key.
 */
export interface TableDeclaration {
  /** What a copy of the site does with the rows. Default `none`. */
  readonly copy: 'none' | 'rows';
  /**
   * What integers, or arrays of them, in these columns refer to. Where it has no copy, a column that may be null
   * is, 0 stays 0, and a row that cannot be without it is left out.
   */
  readonly refs?: Readonly<Record<string, TableReference>>;
  /** Columns of random hex digits or uuids that every copied row gets anew: secrets, addresses that nobody guesses. */
  readonly fresh?: readonly string[];
  /** With what the rows are copied: with what modules keep, or with the site's files. Default `modules`. */
  readonly with?: 'modules' | 'files';
  /** Files that belong to a row; only for a table whose primary key is one generated integer. */
  readonly files?: {
    /** Columns that hold a key in the storage, below the site's. */
    readonly keys?: readonly string[];
    /** A folder below the site's, with columns of the row in braces: `packages/{id}`. All in it is copied. */
    readonly folder?: string;
  };
}

/**
 * A commercial product that the module is sold under. Several modules may name one product: the first of them by id
 * gives names and numbers, the public keys of all are taken.
 */
export interface ProductDeclaration {
  /** `[a-z0-9][a-z0-9._-]*`, at most 100 characters. */
  readonly product_id: string;
  readonly name: string;
  /** What a license server knows the product by. */
  readonly item_id: number;
  readonly item_name: string;
  /** Ed25519 keys, raw as 64 hex digits or base64 of SPKI DER, that verify license keys without a server. */
  readonly public_keys: readonly string[];
}

/** A step of a module's own schema, run once, in a transaction of its own, in the order of the list. */
export interface Migration {
  readonly id: string;
  readonly up: (trx: Knex.Transaction) => Promise<void>;
}

/** Declares a migration. One that fails is rolled back, and its module is reported as `migration_failed`. */
export const defineMigration = (migration: Migration): Migration => migration;

/** What hooks and listeners are given. `trx` is the transaction of the change. */
export interface HookTools {
  readonly trx: Knex.Transaction;
  readonly log: Logger;
  get<T>(token: Token<T>): T;
}

/** A site by its ids. */
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

/** What the host calls at turns of the module's life. */
export interface Hooks {
  /** In one process, in the transaction of a toggle that switches the module on. 10 s; a throw undoes the toggle. */
  readonly onEnabled?: (toggle: ToggleRef, tools: HookTools) => Promise<void> | void;
  /** The same for a toggle that switches it off. */
  readonly onDisabled?: (toggle: ToggleRef, tools: HookTools) => Promise<void> | void;
  /**
   * Once for each site, whether the module is on or off: in the transaction that creates it, where a coded error
   * refuses the site; for sites that were there before, in a job after the module was switched on. What crashes is
   * undone alone, and done again by a job.
   */
  readonly onSiteCreated?: (site: SiteRef, tools: HookTools) => Promise<void> | void;
  /** In the transaction that removes a site; a coded error refuses that. */
  readonly onSiteRemoved?: (site: SiteRef, tools: HookTools) => Promise<void> | void;
  /** In every process, after migrations. 10 s. */
  readonly start?: (tools: Omit<HookTools, 'trx'>) => Promise<void> | void;
  /** In every process, at shutdown. 10 s. */
  readonly stop?: () => Promise<void> | void;
}

/** What a listener is given: the transaction of the change, and who causes it. */
export interface ListenerTools extends HookTools {
  readonly actor: Actor;
  /** Value of a setting of the listener's module on the actor's site, default filled in. */
  setting<T = unknown>(name: string): Promise<T>;
  /** Tells other modules what follows from the notice, in the same transaction. */
  send(notice: Notice): Promise<void>;
}

/** A module's interest in a notice. Runs inside the transaction that causes it, whether the module is on or off. */
export interface Listener {
  readonly notice: NoticeKind;
  readonly react: (notice: Notice, tools: ListenerTools) => Promise<void>;
}

/** Types a listener by the notice it waits for. */
export function on<K extends NoticeKind>(
  notice: K,
  react: (notice: Notice<K>, tools: ListenerTools) => Promise<void>,
): Listener {
  return { notice, react: react as unknown as Listener['react'] };
}

/** All that the host knows of a module. Unknown keys are refused by name; only id and title are required. */
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
  readonly settingRules?: readonly SettingRule[];
  readonly postTypes?: readonly PostTypeDeclaration[];
  readonly taxonomies?: readonly TaxonomyDeclaration[];
  readonly meta?: readonly MetaDeclaration[];
  /** What licenses may be entered for; they refuse nothing by themselves. */
  readonly products?: readonly ProductDeclaration[];
  readonly tables?: Readonly<Record<string, TableDeclaration>>;
  readonly migrations?: readonly Migration[];
  readonly errors?: ErrorTable;
  /** Codes of this module that its rules make other modules' operations throw: operation id → codes. */
  readonly errorsElsewhere?: Readonly<Record<string, readonly string[]>>;
  /** First path segments below a site that the module serves; no site may take them as its slug. */
  readonly publicSegments?: readonly string[];
  /** Pages below a site, outside of the API; their first segments are public ones by themselves. */
  readonly pages?: readonly SitePage[];
  /** Files of its own that the module serves below a site's `/files/`. */
  readonly areas?: readonly ServedArea[];
  readonly shortcodes?: readonly Shortcode[];
  /** What it shows on pages beside their content. */
  readonly pageAdditions?: readonly PageAddition[];
  readonly operations?: readonly Operation[];
  readonly jobs?: readonly Job[];
  /** Periodic work, done by one process of the installation, whether the module is on or off. */
  readonly schedules?: readonly Schedule[];
  readonly listeners?: readonly Listener[];
  readonly services?: (provide: Provide) => readonly Provider[];
  readonly hooks?: Hooks;
}

/** Declares a module. Only data and functions: nothing happens until the host has checked it. */
export const defineModule = (declaration: ModuleDeclaration): ModuleDeclaration => declaration;
