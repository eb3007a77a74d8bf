/** The two validators of a file: `etag` with its quotes, strong; `modified` in whole seconds, as HTTP counts. */
export interface Validators {
  readonly etag: string;
  readonly modified: Date;
}

/** One request header; Node joins repeated ones or gives an array. */
export type HeaderReader = (name: string) => string | undefined;

/** True when the client's copy is still right: 304. `If-None-Match` outweighs `If-Modified-Since`. */
export function isFresh(header: HeaderReader, file: Validators): boolean {
  const tags = header('if-none-match');
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag);
  }
  const since = header('if-modified-since');
  if (since === undefined) return false;
  const time = Date.parse(since);
  return !Number.isNaN(time) && wholeSeconds(file.modified) <= time;
}

/** True when a range may be sent: no `If-Range`, or it names exactly the file as it is now. */
export function mayResume(header: HeaderReader, file: Validators): boolean {
  const condition = header('if-range')?.trim();
  if (condition === undefined) return true;
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === file.etag;
  return Date.parse(condition) === wholeSeconds(file.modified);
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
