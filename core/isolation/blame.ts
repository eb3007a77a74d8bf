/** Errors that came out of a module's code while another module's, or the host's, was running. */
const guilty = new WeakMap<object, string>();

/** An uncoded throw of something that is no object, so that it can be told whose it was. */
class ThrownValue extends Error {
  constructor(moduleId: string, value: unknown) {
    super(`The module ${moduleId} threw ${String(value)}.`, { cause: value });
    this.name = 'ThrownValue';
  }
}

/** The error to throw on in place of `error`, which is this module's unless somebody was blamed before. */
export function blame(error: unknown, moduleId: string): unknown {
  const thrown = typeof error === 'object' && error !== null ? error : new ThrownValue(moduleId, error);
  if (!guilty.has(thrown)) guilty.set(thrown, moduleId);
  return thrown;
}

/** Who was blamed for the error, or null. */
export const blamedFor = (error: unknown): string | null =>
  typeof error === 'object' && error !== null ? (guilty.get(error) ?? null) : null;
