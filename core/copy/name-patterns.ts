/** Names, some of them with `*` at the end, which stands for anything. */
export class NamePatterns {
  readonly #exact: ReadonlySet<string>;
  readonly #beginnings: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
    this.#beginnings = patterns
      .filter((pattern) => pattern.endsWith('*'))
      .map((pattern) => pattern.slice(0, -1));
  }

  includes(name: string): boolean {
    return this.#exact.has(name) || this.#beginnings.some((beginning) => name.startsWith(beginning));
  }
}
