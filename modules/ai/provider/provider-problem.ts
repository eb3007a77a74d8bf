import { CodedError, OutboundError } from '@lyceum/core';

const longestText = 300;
const struckOut = '********';

/** An error text of a provider as the log may have it: without the key, in whatever spelling, and not long. */
export function cleanErrorText(text: string, key: string | null): string {
  const spellings = key === null ? [] : [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
  const clean = spellings.reduce((left, spelling) => left.replaceAll(spelling, struckOut), text);
  return clean.slice(0, longestText).toWellFormed();
}

/**
 * The provider is there, but gave no answer that one can use.
 * @param status of its answer; null without one
 * @param detail for the log alone
 */
export const providerFailed = (status: number | null, detail: unknown): CodedError =>
  new CodedError('ai_provider_error', { data: { provider_status: status }, cause: detail });

/** What a client is told of an error on the way to the provider; the error itself when it is another one. */
export function providerProblem(error: unknown, signal: AbortSignal): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (error.code === 'outbound_timeout') return new CodedError('ai_provider_timeout', { cause: error });
  if (error.code === 'outbound_aborted') return signal.reason ?? error;
  return providerFailed(null, error);
}
