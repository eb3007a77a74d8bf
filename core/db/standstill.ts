import type { Knex } from 'knex';

/** Milliseconds that work may leave its transaction alone. */
const idleLimitMs = 10_000;

/**
 * Rejects when `work` stands still: for ten seconds it neither began a statement nor waited for one. A statement
 * itself may take as long as its rows need; but whoever waits for something else, for ever perhaps, does so with
 * locks that others need.
 */
export async function withoutStandstill(trx: Knex.Transaction, work: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let open = 0;
  let late: (error: Error) => void = () => undefined;
  const stoodStill = new Promise<never>((_resolve, reject) => {
    late = reject;
  });
  const wait = (): void => {
    const why = `did nothing with its transaction for ${idleLimitMs / 1000} s.`;
    timer = setTimeout(() => late(new Error(why)), idleLimitMs);
  };
  const began = (): void => {
    open += 1;
    clearTimeout(timer);
  };
  const ended = (): void => {
    open -= 1;
    if (open === 0) wait();
  };
  trx.on('query', began).on('query-response', ended).on('query-error', ended);
  wait();
  try {
    await Promise.race([work(), stoodStill]);
  } finally {
    clearTimeout(timer);
    trx.off('query', began).off('query-response', ended).off('query-error', ended);
  }
}
