/** Why a request to another server came to nothing. */
export type OutboundProblem =
  /** No http or https URL, or one with credentials. */
  | 'outbound_bad_url'
  /** The address is one that nobody may be sent to. */
  | 'outbound_forbidden'
  /** No such host, no connection, or one that broke. */
  | 'outbound_failed'
  | 'outbound_timeout'
  /** The answer has more bytes than the caller takes. */
  | 'outbound_too_large'
  /** The caller's signal ended it. */
  | 'outbound_aborted';

/** Thrown by `Outbound`. Its message names no address and no key: it may be shown. */
export class OutboundError extends Error {
  readonly code: OutboundProblem;

  constructor(code: OutboundProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
  }
}

/** The error of a signal that ended a request: its time-out, or the caller's own wish. */
export function endedBy(signal: AbortSignal): OutboundError {
  const { reason } = signal as { reason: unknown };
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new OutboundError('outbound_timeout', 'The server did not answer in time.')
    : new OutboundError('outbound_aborted', 'The request was given up.', reason);
}
