import type { Scope, TaxonomyDeclaration } from '../api/module.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, specs } from '../registry/spec.ts';
import type { ModulesOn } from './post-types.ts';

/** A declared taxonomy and the module that declares it. */
export interface Taxonomy extends TaxonomyDeclaration {
  readonly module: string;
}

/** Taxonomies of all installed modules. */
export class Taxonomies {
  readonly #taxonomies: () => ReadonlyMap<string, Taxonomy>;

  constructor(installed: Installed) {
    this.#taxonomies = installed.derive(declaredTaxonomies);
  }

  /** The taxonomy, on or off; null for a word that no installed module declares. */
  get(id: string): Taxonomy | null {
    return this.#taxonomies().get(id) ?? null;
  }

  /** The taxonomy if it has this scope and its module is on for the site, else null. */
  usable(id: string, scope: Scope, site: ModulesOn): Taxonomy | null {
    const taxonomy = this.#taxonomies().get(id);
    return taxonomy && taxonomy.scope === scope && site.isOn(taxonomy.module) ? taxonomy : null;
  }

  /** Ids of the taxonomies of this scope that can be used on the site. */
  ids(scope: Scope, site: ModulesOn): string[] {
    return [...this.#taxonomies().keys()].filter((id) => this.usable(id, scope, site) !== null);
  }
}

const declaredTaxonomies = (modules: InstalledModules): ReadonlyMap<string, Taxonomy> =>
  new Map(
    [...specs(modules)].flatMap(({ id, taxonomies }) =>
      taxonomies.map((taxonomy) => [taxonomy.id, { ...taxonomy, module: id }] as const),
    ),
  );
