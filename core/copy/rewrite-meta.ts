import { isPlainObject } from '../api/schema.ts';
import type { MetaValues, RegisteredMeta } from '../content/meta-keys.ts';
import { mapStrings } from './map-strings.ts';
import type { NamePatterns } from './name-patterns.ts';
import type { IdKind, NewId } from './references.ts';
import { rewriteIds } from './rewrite-ids.ts';

/** What is applied to the texts and ids of one record. */
export interface Rewriting {
  readonly newId: NewId;
  /** The text with its URLs rewritten. */
  readonly urls: (text: string) => string;
}

const refKinds: Readonly<Record<'post' | 'term' | 'attachment', readonly IdKind[]>> = {
  post: ['post', 'attachment'],
  term: ['term'],
  attachment: ['attachment'],
};

const linked: readonly IdKind[] = ['attachment', 'post'];

/** Deeper values stay as they are. */
const mostLevels = 500;

/**
 * The meta of a copy: without excluded keys and those that are not copied, ids of registered keys followed, URLs
 * of all rewritten. The very same object when nothing changes.
 */
export function rewriteMeta(
  meta: MetaValues,
  registered: ReadonlyMap<string, RegisteredMeta>,
  excluded: NamePatterns,
  rewriting: Rewriting,
): MetaValues {
  let changed = false;
  const entries = Object.entries(meta).flatMap(([key, value]): [string, unknown][] => {
    const declared = registered.get(key);
    const dropped = excluded.includes(key) || declared?.copy === false;
    const now = dropped ? undefined : rewrittenValue(value, declared, rewriting);
    changed ||= now !== value;
    return now === undefined ? [] : [[key, now]];
  });
  return changed ? Object.fromEntries(entries) : meta;
}

/** undefined where nothing is left of the value. */
function rewrittenValue(
  value: unknown,
  declared: RegisteredMeta | undefined,
  { newId, urls }: Rewriting,
): unknown {
  if (declared?.refs === 'user') return value;
  if (declared?.refs) return followed(value, refKinds[declared.refs], newId);
  return mapStrings(declared ? withIds(value, newId, 0) : value, urls);
}

/** Ids that have no copy go. */
function followed(value: unknown, kinds: readonly IdKind[], newId: NewId): unknown {
  if (Number.isInteger(value) && (value as number) > 0) return newId(kinds, value as number) ?? undefined;
  if (!Array.isArray(value)) return value;
  const members = value.map((member: unknown) => followed(member, kinds, newId));
  const present = members.filter((member) => member !== undefined);
  return present.length !== value.length || present.some((member, at) => member !== value[at])
    ? present
    : value;
}

/** Markup and JSON in texts, and numbers under `id` in objects with a `url`. */
function withIds(value: unknown, newId: NewId, level: number): unknown {
  if (typeof value === 'string') return rewriteIds(value, newId);
  if (level === mostLevels) return value;
  if (Array.isArray(value)) {
    const members = value.map((member: unknown) => withIds(member, newId, level + 1));
    return members.some((member, at) => member !== value[at]) ? members : value;
  }
  return isPlainObject(value) ? objectWithIds(value, newId, level) : value;
}

function objectWithIds(value: Record<string, unknown>, newId: NewId, level: number): unknown {
  const isLink = typeof value.url === 'string' && Number.isInteger(value.id) && (value.id as number) > 0;
  let changed = false;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const known = isLink && key === 'id' ? newId(linked, member as number) : undefined;
    const now = known === undefined ? withIds(member, newId, level + 1) : known;
    changed ||= now !== member;
    return now === null && known === null ? [] : [[key, now]];
  });
  return changed ? Object.fromEntries(entries) : value;
}
