import type { InstalledModules } from './spec.ts';

/** The packages of this process as they are now: one immutable map, replaced as a whole by one reference. */
export class Installed {
  #current: InstalledModules;

  constructor(first: InstalledModules) {
    this.#current = first;
  }

  get current(): InstalledModules {
    return this.#current;
  }

  replace(next: InstalledModules): void {
    this.#current = next;
  }

  /** What follows from the modules alone, always that of the present ones. */
  derive<T>(make: (modules: InstalledModules) => T): () => T {
    const of = derived(make);
    return () => of(this.#current);
  }
}

/** What follows from a set of modules alone: made at first use, kept for as long as anybody holds the set. */
export function derived<T>(make: (modules: InstalledModules) => T): (modules: InstalledModules) => T {
  const known = new WeakMap<InstalledModules, { readonly value: T }>();
  return (modules) => {
    const kept = known.get(modules);
    if (kept) return kept.value;
    const value = make(modules);
    known.set(modules, { value });
    return value;
  };
}
