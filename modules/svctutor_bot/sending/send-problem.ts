import { OutboundError } from '@lyceum/core';

const longestText = 300;

/** Why something was not sent. Its message may be shown. */
export class SendProblem extends Error {
  /** Whether the same may be taken another time. */
  readonly mayPass: boolean;
  /** Seconds that the platform wants to be left alone; null: it does not say. */
  readonly retryAfter: number | null;

  constructor(message: string, mayPass: boolean, retryAfter: number | null = null) {
    super(message);
    this.mayPass = mayPass;
    this.retryAfter = retryAfter;
  }
}

/** Statuses behind which the next try may be luckier. */
export const statusMayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** A text of a platform without the secrets of the bot, cut. */
export function clearOf(text: string, secrets: readonly string[]): string {
  let clear = text.toWellFormed().replaceAll('\0', '');
  for (const secret of secrets) {
    for (const written of [secret, encodeURIComponent(secret)]) clear = clear.replaceAll(written, '***');
  }
  // Should the platform name another token than ours.
  return clear.replaceAll(/\b\d{5,20}:[A-Za-z0-9_-]{20,256}/g, '***').slice(0, longestText);
}

/** What became of a request that brought no answer. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const mayPass = error.code === 'outbound_failed' || error.code === 'outbound_timeout';
  return new SendProblem(error.message, mayPass);
}
