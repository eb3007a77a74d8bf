import { Readable } from 'node:stream';

/**
 * The chunks of `source`, until the signal aborts: then it throws the signal's reason at once, also while
 * the source is silent. On any early end the source is told to stop, but not waited for, because a
 * generator that hangs in a read would never answer.
 */
export async function* abortable(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const step = await nextOrAbort(iterator, signal);
      if (step.done === true) break;
      yield step.value;
    }
    ended = true;
  } finally {
    if (!ended) stop(source, iterator);
  }
}

/** The iterator of a stream would queue `return` behind the read that hangs; `destroy` does not wait. */
function stop(source: AsyncIterable<Uint8Array>, iterator: AsyncIterator<Uint8Array>): void {
  if (source instanceof Readable) source.destroy();
  iterator.return?.().catch(() => undefined);
}

/** One promise for each chunk: `Promise.race` with one long-lived promise would keep every chunk in memory. */
function nextOrAbort(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array>> {
  if (signal === undefined) return iterator.next();
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    iterator.next().then(resolve, reject).finally(settled);
  });
}
