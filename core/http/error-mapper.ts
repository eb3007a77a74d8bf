import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { CodedError, ErrorRow } from '../api/errors.ts';
import { hostErrors } from '../api/host-errors.ts';
import { codedOf } from '../isolation/is-crash.ts';
import { errorRows } from '../registry/declared-errors.ts';
import { derived, type Installed } from '../registry/installed.ts';
import type { InstalledModules, ModuleSpec } from '../registry/spec.ts';
import { ClientGone } from './client-gone.ts';
import { NotSignedIn } from './exchange.ts';
import { putJson } from './ready-body.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly data: Record<string, unknown> | null;
  };
}

/** By whose tables an error is read: those of the modules as the request saw them, its own module's first. */
export interface ErrorTables {
  readonly modules: InstalledModules;
  readonly module: ModuleSpec | null;
}

/** False for an error whose data is no JSON, or whose headers are none: nobody could be told of it. */
function isSendable({ data, headers }: CodedError): boolean {
  try {
    JSON.stringify(data);
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}

/** Turns whatever was thrown, `null` included, into the contract's error body. */
export class ErrorMapper {
  readonly #installed: Installed;
  readonly #rows = derived(errorRows);

  constructor(installed: Installed) {
    this.#installed = installed;
  }

  /** The host's own rows stand above all; two modules may use one word, and each means its own. */
  #row(code: string, tables: ErrorTables | null): ErrorRow | null {
    if (Object.hasOwn(hostErrors, code)) return hostErrors[code as keyof typeof hostErrors];
    const own = tables?.module?.errors;
    if (own && Object.hasOwn(own, code)) return own[code] ?? null;
    return this.#rows(tables?.modules ?? this.#installed.current).get(code) ?? null;
  }

  /**
   * True for an error that nobody foresaw: the fault of the handler.
   * @param tables those of its request; null where there is none
   */
  isCrash(error: unknown, tables: ErrorTables | null): boolean {
    const coded = codedOf(error);
    return coded === null || this.#row(coded.code, tables) === null || !isSendable(coded);
  }

  /** Code and message as a client would see them; null for an error that nobody foresaw. */
  describe(error: unknown): { readonly code: string; readonly message: string } | null {
    const coded = codedOf(error);
    const row = coded && this.#row(coded.code, null);
    return coded && row ? { code: coded.code, message: coded.ownMessage ?? row.message } : null;
  }

  /** @param tables null for a request of which no site was found */
  answer(error: unknown, requestId: string, log: Logger, tables: ErrorTables | null): ErrorAnswer {
    const coded = codedOf(error);
    const row = coded && this.#row(coded.code, tables);
    if (!coded || !row || !isSendable(coded)) {
      if (error instanceof ClientGone) log.debug({ request_id: requestId }, 'nobody waits for the answer');
      else log.error({ err: error, request_id: requestId }, 'unexpected error');
      const { status, message } = hostErrors.internal_error;
      return {
        status,
        headers: {},
        body: { code: 'internal_error', message, data: { status, request_id: requestId } },
      };
    }
    if (coded.cause)
      log.warn({ err: coded.cause, code: coded.code, request_id: requestId }, 'request failed');
    const status = coded instanceof NotSignedIn ? 401 : (row.status ?? 500);
    return {
      status,
      headers: coded.headers,
      body: {
        code: coded.code,
        message: coded.ownMessage ?? row.message,
        data: row.status === null ? null : { ...coded.data, status },
      },
    };
  }
}

/** The tables of the request as far as it is known: the server notes its modules, dispatch the module asked for. */
export function errorTablesOf({ state }: Context): ErrorTables | null {
  const { modules, spec } = state as { modules?: InstalledModules; spec?: ModuleSpec };
  return modules ? { modules, module: spec ?? null } : null;
}

/** Writes an error answer; what a broken handler may have set before is removed. */
export function writeError(ctx: Context, answer: ErrorAnswer): void {
  for (const name of ['ETag', 'Content-Encoding', 'Content-Length', 'Location', 'Cache-Control'])
    ctx.remove(name);
  for (const [name, value] of Object.entries(answer.headers)) ctx.set(name, value);
  putJson(ctx, answer.status, JSON.stringify(answer.body));
}
