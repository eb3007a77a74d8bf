import { CodedError } from '../api/errors.ts';
import type { Crashes } from '../isolation/crashes.ts';
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

/** Runs the handler as its module's code, within its time. */
export async function withinTime(handler: Handler, call: HostCall, act: () => unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      call.abort();
      reject(new TimeLimitPassed());
    }, handler.timeoutMs);
  });
  try {
    return await Promise.race([asModule(handler.module.id, act), late]);
  } finally {
    clearTimeout(timer);
  }
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
    } catch (error) {
      const late = error instanceof TimeLimitPassed;
      if (late || (this.#errors.isCrash(error, call.errorTables) && !stoppedForClient(call, error))) {
        const place = late ? `${id} (no answer in time)` : id;
        await this.#crashes.charge({ module: module.id, place, error });
      }
      throw error;
    }
  }
}
