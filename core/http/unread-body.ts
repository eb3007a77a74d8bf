import type { Context } from 'koa';

/** Long enough to read an answer; a client that still sends then has no interest in it. */
const patienceMs = 10_000;

/**
 * For a request that is answered before its body was read. The rest is taken and dropped for a while: ending the
 * connection at once would make the system reset it, and a client that still sends would never see the answer.
 */
export function dropUnreadBody({ req, res }: Context): void {
  if (req.complete) return;
  req.resume();
  res.once('finish', () => {
    const patience = setTimeout(() => req.destroy(), patienceMs);
    patience.unref();
    req.once('close', () => clearTimeout(patience));
  });
}
