import type { PostTypeDeclaration } from '../api/module.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, specs } from '../registry/spec.ts';

/** A declared post type and the module that declares it. */
export interface PostType extends PostTypeDeclaration {
  readonly module: string;
}

/** Whether a module is on for the site in question. */
export interface ModulesOn {
  isOn(module: string): boolean;
}

/** Post types of all installed modules. Attachments are none of them: they have routes of their own. */
export class PostTypes {
  readonly #types: () => ReadonlyMap<string, PostType>;

  constructor(installed: Installed) {
    this.#types = installed.derive(declaredTypes);
  }

  /** The type, on or off; null for a word that no installed module declares. */
  get(id: string): PostType | null {
    return this.#types().get(id) ?? null;
  }

  /** The type while its module is on for the site, else null. */
  usable(id: string, site: ModulesOn): PostType | null {
    const type = this.#types().get(id);
    return type && site.isOn(type.module) ? type : null;
  }

  /** Ids of all types, whether their modules are on or off. */
  ids(): string[] {
    return [...this.#types().keys()];
  }

  /** All types that can be used on the site. */
  all(site: ModulesOn): PostType[] {
    return [...this.#types().values()].filter((type) => site.isOn(type.module));
  }
}

const declaredTypes = (modules: InstalledModules): ReadonlyMap<string, PostType> =>
  new Map(
    [...specs(modules)].flatMap(({ id, postTypes }) =>
      postTypes.map((type) => [type.id, { ...type, module: id }] as const),
    ),
  );
