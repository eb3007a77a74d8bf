/** Something that came in otherwise than it stood in the export, or not at all. `item` is `type:id` there, or null. */
export interface ImportWarning {
  readonly code: string;
  readonly message: string;
  readonly item: string | null;
}

/** The result shows no more than these; a file full of faults has one reason, not a million. */
const mostWarnings = 1_000;
const longestItem = 200;

/** Collects warnings in the order in which they come up. */
export class Warnings {
  readonly #all: ImportWarning[];

  constructor(before: readonly ImportWarning[]) {
    this.#all = [...before];
  }

  add(code: string, message: string, item: string | null): void {
    if (this.#all.length < mostWarnings) {
      this.#all.push({
        code,
        message,
        item: item === null ? null : item.slice(0, longestItem).toWellFormed(),
      });
    }
  }

  list(): readonly ImportWarning[] {
    return this.#all;
  }
}
