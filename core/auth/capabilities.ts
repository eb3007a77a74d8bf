import { type Role, roles } from '../api/module.ts';
import { derived, type Installed } from '../registry/installed.ts';
import { type InstalledModules, specs } from '../registry/spec.ts';

/** What each role adds to the one before it. */
const added: Readonly<Record<Role, readonly string[]>> = {
  subscriber: ['read'],
  contributor: ['edit_posts', 'delete_posts'],
  author: ['publish_posts', 'upload_files'],
  editor: [
    'edit_pages',
    'publish_pages',
    'delete_pages',
    'edit_others_posts',
    'edit_others_pages',
    'manage_categories',
    'read_private_pages',
  ],
  administrator: ['manage_options', 'list_users', 'promote_users', 'delete_sites'],
};

/** Held by administrators where there is one site only. */
const singleSiteAdministrator = ['create_users', 'delete_users'];

/** Held by super admins alone; on a single site by nobody. */
export const networkCapabilities: ReadonlySet<string> = new Set([
  'manage_network',
  'manage_network_options',
  'manage_sites',
  'create_sites',
  'manage_network_users',
  'create_networks',
]);

/** Every capability that the host itself knows; a package may declare none of them. */
export const hostCapabilities: ReadonlySet<string> = new Set([
  ...Object.values(added).flat(),
  ...singleSiteAdministrator,
  ...networkCapabilities,
]);

/** Capabilities by role. */
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

/** Which role holds which capability, modules' own included. */
export class CapabilityTable {
  readonly #installed: Installed;
  readonly #byRole: (modules: InstalledModules) => Holders;
  readonly #single: boolean;

  constructor(installed: Installed, single: boolean) {
    this.#installed = installed;
    this.#single = single;
    this.#byRole = derived((modules) => holdersOf(modules, single));
  }

  /** Whether somebody of this role, or a super admin of the site's network, holds the capability. */
  holds(role: string | null, superAdmin: boolean, capability: string): boolean {
    return this.heldAmong(this.#installed.current, role, superAdmin, capability);
  }

  /** The same by the declarations of these modules, for a request that began before others took their place. */
  heldAmong(
    modules: InstalledModules,
    role: string | null,
    superAdmin: boolean,
    capability: string,
  ): boolean {
    if (superAdmin) return !(this.#single && networkCapabilities.has(capability));
    return role !== null && (this.#byRole(modules).get(role)?.has(capability) ?? false);
  }

  /** What a role holds by itself, by the declarations of these modules. */
  heldBy(modules: InstalledModules, role: string | null): readonly string[] {
    return role === null ? [] : [...(this.#byRole(modules).get(role) ?? [])];
  }

  /** Roles whose every capability is held by the given standing: those that it may grant. */
  grantable(role: string | null, superAdmin: boolean): readonly string[] {
    const byRole = this.#byRole(this.#installed.current);
    return roles.filter((candidate) =>
      [...(byRole.get(candidate) ?? [])].every((name) => this.holds(role, superAdmin, name)),
    );
  }
}

function holdersOf(modules: InstalledModules, single: boolean): Holders {
  const byRole = new Map<string, Set<string>>();
  const held = new Set<string>();
  for (const role of roles) {
    for (const capability of added[role]) held.add(capability);
    byRole.set(role, new Set(held));
  }
  if (single) for (const name of singleSiteAdministrator) byRole.get('administrator')?.add(name);
  for (const spec of specs(modules)) {
    for (const [name, { roles: holders }] of Object.entries(spec.capabilities)) {
      for (const role of holders) byRole.get(role)?.add(name);
    }
  }
  return byRole;
}
