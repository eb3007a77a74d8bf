/** A service's name in the container: its class, abstract for a mere interface. */
export type Token<T = unknown> = abstract new (...args: never[]) => T;

type Services<D extends readonly Token[]> = {
  readonly [K in keyof D]: D[K] extends Token<infer T> ? T : never;
};

/** How one service of a module is made. Made once per process, at first use. */
export interface Provider {
  readonly token: Token;
  readonly needs: readonly Token[];
  readonly make: (...services: never[]) => unknown;
}

/** Types the link between tokens and factory: `provide(PollStore, [Database], (db) => new PollStore(db))`. */
export function provide<T, const D extends readonly Token[]>(
  token: Token<T>,
  needs: D,
  make: (...services: Services<D>) => T,
): Provider {
  return { token, needs, make: make as (...services: never[]) => unknown };
}

/** What the `services` function of a module is given. */
export type Provide = typeof provide;
