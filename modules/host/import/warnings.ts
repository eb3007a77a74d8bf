/** Something that came in otherwise than it stood in the export, or not at all. `item` is `type:id` there, or null. */
export interface ImportWarning {
  readonly code: string;
  readonly message: string;
  readonly item: string | null;
}

/** The result shows no more than these; a file full of faults has one reason, not a million. */
const mostWarnings = 1_000;
/** The last ones are kept for what is rare: a thousand meta keys must not hide the one file that was not fetched. */
const keptForRare = 100;
const longestItem = 200;

/** Collects warnings in the order in which they come up. */
export class Warnings {
  readonly #all: ImportWarning[];
  readonly #counts = new Map<string, number>();

  constructor(before: readonly ImportWarning[]) {
    this.#all = [...before];
    for (const { code } of before) this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  add(code: string, message: string, item: string | null): void {
    const free = mostWarnings - this.#all.length;
    const count = this.#counts.get(code) ?? 0;
    if (free === 0 || (free <= keptForRare && count >= keptForRare)) return;
    this.#counts.set(code, count + 1);
    this.#all.push({ code, message, item: item === null ? null : item.slice(0, longestItem).toWellFormed() });
  }

  list(): readonly ImportWarning[] {
    return this.#all;
  }
}
