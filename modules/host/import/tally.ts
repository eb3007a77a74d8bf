import { type ImportWarning, Warnings } from './warnings.ts';

/** What an import did so far, as its result shows it. */
export interface TallyRecord {
  readonly created: Readonly<Record<string, number>>;
  readonly existing: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  readonly comments: number;
  readonly warnings: readonly ImportWarning[];
}

/** Shown with 0 too: whoever reads a result need not ask whether they are there. */
const always = ['post', 'page', 'attachment', 'category', 'tag', 'user'] as const;
const alwaysSkipped = ['nav_menu_item'] as const;

const typeForm = /^[a-z0-9_-]{1,40}$/i;
/** Types that a result tells apart; the names come from the file. */
const mostTypes = 200;

/** Counts and warnings of one import. They travel in the job's cursor, so each thing is counted once. */
export class Tally {
  readonly #created: Map<string, number>;
  readonly #existing: Map<string, number>;
  readonly #skipped: Map<string, number>;
  readonly warnings: Warnings;
  #comments: number;

  constructor(before: TallyRecord | null) {
    this.#created = counts(always, before?.created);
    this.#existing = counts(always, before?.existing);
    this.#skipped = counts(alwaysSkipped, before?.skipped);
    this.#comments = before?.comments ?? 0;
    this.warnings = new Warnings(before?.warnings ?? []);
  }

  created(type: string): void {
    count(this.#created, type);
  }

  existing(type: string): void {
    count(this.#existing, type);
  }

  skipped(type: string): void {
    count(this.#skipped, type);
  }

  /** All comments of the file, which every run counts anew. */
  comments(number: number): void {
    this.#comments = number;
  }

  record(): TallyRecord {
    return {
      created: Object.fromEntries(this.#created),
      existing: Object.fromEntries(this.#existing),
      skipped: Object.fromEntries(this.#skipped),
      comments: this.#comments,
      warnings: this.warnings.list(),
    };
  }
}

const counts = (names: readonly string[], before: Readonly<Record<string, number>> | undefined) =>
  new Map([...names.map((name) => [name, 0] as const), ...Object.entries(before ?? {})]);

function count(counted: Map<string, number>, type: string): void {
  const isNew = !counted.has(type);
  const name = isNew && (!typeForm.test(type) || counted.size >= mostTypes) ? 'other' : type;
  counted.set(name, (counted.get(name) ?? 0) + 1);
}
