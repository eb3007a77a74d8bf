interface TransportError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly command?: unknown;
}

const detailsOf = (error: unknown): TransportError =>
  typeof error === 'object' && error !== null ? (error as TransportError) : {};

/** Codes under which the transport reports that the server refused the sender, the recipient or the text. */
const refusals: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

/**
 * Whether the server answered with 5xx to this very mail. A refused greeting or password is the operator's to mend,
 * so trying again is right.
 */
export function isRejected(error: unknown): boolean {
  const { code, responseCode } = detailsOf(error);
  return refusals.includes(code) && typeof responseCode === 'number' && responseCode >= 500;
}

/** What the log may know: an answer in the server's own words could repeat the mail, which may hold a secret. */
export function whatHappened(error: unknown): Readonly<Record<string, unknown>> {
  const { code, responseCode, command } = detailsOf(error);
  return { code, response: responseCode, command };
}
