import { CodedError } from '../api/errors.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { legible } from '../isolation/legible.ts';
import { asModule } from '../isolation/running.ts';
import type { ErrorMapper } from './error-mapper.ts';
import type { HostCall } from './host-call.ts';

/** The handler did not answer in time. Only the host throws it. */
class TimeLimitPassed extends CodedError {
  constructor() {
    super('module_timeout', {});
  }
}

/** Code of a module that answers a request. */
interface Handler {
  readonly module: { readonly id: string };
  readonly timeoutMs: number;
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** What the handler returns, run as its module's code; one that needs no time needs no limit. */
export function withinTime(handler: Handler, call: HostCall, act: () => unknown): unknown {
  const running = asModule(handler.module.id, act);
  if (!isThenable(running)) return running;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      call.abort();
      reject(new TimeLimitPassed());
    }, handler.timeoutMs);
    running.then(
      (returned) => {
        clearTimeout(timer);
        resolve(returned);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** A handler that stops because its client went away did nothing wrong. */
function stoppedForClient(call: HostCall, error: unknown): boolean {
  if (!call.clientLeft) return false;
  const { aborted, reason } = call.signal;
  return (aborted && error === reason) || (error instanceof Error && error.name === 'AbortError');
}

/** Charges the module of an operation with what its code did wrong, before the client is answered. */
export class HandlerGuard {
  readonly #errors: ErrorMapper;
  readonly #crashes: Crashes;

  constructor(errors: ErrorMapper, crashes: Crashes) {
    this.#errors = errors;
    this.#crashes = crashes;
  }

  /** Resolves and rejects as `work` does. @param id of the operation or page */
  async run<T>(
    id: string,
    module: { readonly id: string },
    call: HostCall,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const error = legible(thrown);
      const late = error instanceof TimeLimitPassed;
      if (late || (this.#errors.isCrash(error, call.errorTables) && !stoppedForClient(call, error))) {
        const place = late ? `${id} (no answer in time)` : id;
        await this.#crashes.charge({ module: module.id, place, error });
      }
      throw error;
    }
  }
}
