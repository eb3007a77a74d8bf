/** Longer than this nobody waits, whatever a provider asks for; and so long where it says nothing. */
const longestMs = 5_000;
const standardMs = 1_000;

/** Milliseconds to wait before a request is sent again, by the header `Retry-After`: seconds or a date. */
export function retryAfterMs(header: string | undefined): number {
  const asked = header === undefined ? standardMs : millisecondsOf(header.trim());
  return Math.min(longestMs, Math.max(0, Number.isNaN(asked) ? standardMs : asked));
}

const millisecondsOf = (text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
