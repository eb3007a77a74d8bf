import { titleOf } from '../content/attachments/attachment-fields.ts';
import { sanitizeSlug } from '../content/slug.ts';

/** Longest part of a name that comes from the attachment's file. */
const longestBase = 80;

/** What the names of an attachment's artifacts begin with: the slug of its file's name. */
export const artifactBase = (filename: string): string =>
  sanitizeSlug(titleOf(filename), longestBase) || 'file';

/**
 * `{base}-{role}-{hash}.{extension}`, or without extension for a tree. Another content has another name, so that no
 * cache is ever wrong.
 */
export function artifactName(filename: string, role: string, hash: string, extension: string | null): string {
  const ending = extension === null ? '' : `.${extension}`;
  return `${artifactBase(filename)}-${role}-${hash}${ending}`;
}

/** The name with a number before its extension, for the rare case that it is taken. */
export function numberedName(name: string, number: number): string {
  if (number < 2) return name;
  const dot = name.lastIndexOf('.');
  return dot < 1 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
}
