import { hash } from 'node:crypto';

/** A strong validator of these bytes. */
export const etagOf = (body: string): string => `"${hash('sha1', body, 'base64url')}"`;

/** Whether `If-None-Match` names the validator; `*` matches whatever exists. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === '') return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
