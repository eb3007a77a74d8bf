/**
 * One row of an error table: what a client sees when the code is thrown.
 * `status` null is the contract's "listed without a status": HTTP 500 with `data: null`.
 */
export interface ErrorRow {
  readonly status: number | null;
  readonly message: string;
}

/** The error table of a module: code → row. Codes are `[a-z][a-z0-9_]*` and part of the public API. */
export type ErrorTable = Readonly<Record<string, ErrorRow>>;

/** What one failure says beside the row of its code. */
export interface FailOptions {
  /** Extra keys of the answer's `data`, beside `status`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Replaces the table's default message. */
  readonly message?: string;
  /** Headers of the answer, for example `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error that a client is meant to see. Its status and default message come from the error tables. */
export class CodedError extends Error {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly ownMessage: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, options: FailOptions) {
    super(options.message ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.data = options.data ?? {};
    this.ownMessage = options.message;
    this.headers = options.headers ?? {};
  }
}

/**
 * Throws a coded error. The code must stand in the error table of the throwing module or of the host,
 * and in the `errors` of every operation that lets it out.
 */
export function fail(code: string, options: FailOptions = {}): never {
  throw new CodedError(code, options);
}

/** True for an error made by `fail` with this code, or, without one, for any. */
export function isCoded(error: unknown, code?: string): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}
