import { type Role, roles } from '../api/module.ts';
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

/** Which role holds which capability, modules' own included. Built once per set of modules. */
export class CapabilityTable {
  readonly #byRole: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #single: boolean;

  constructor(modules: InstalledModules, single: boolean) {
    this.#single = single;
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
    this.#byRole = byRole;
  }

  /** Whether somebody of this role, or a super admin of the site's network, holds the capability. */
  holds(role: string | null, superAdmin: boolean, capability: string): boolean {
    if (superAdmin) return !(this.#single && networkCapabilities.has(capability));
    return role !== null && (this.#byRole.get(role)?.has(capability) ?? false);
  }

  /** Roles whose every capability is held by the given standing: those that it may grant. */
  grantable(role: string | null, superAdmin: boolean): readonly string[] {
    return roles.filter((candidate) =>
      [...(this.#byRole.get(candidate) ?? [])].every((name) => this.holds(role, superAdmin, name)),
    );
  }
}
