import { type Call, defaultGroup, fail, invalidParams, type TextTrack, type TrackKind } from '@lyceum/core';
import { standardLabel } from './language.ts';
import type { NewContent, Prepared, Wish } from './prepare-track.ts';

/** A track as it is to be. */
export interface Planned {
  readonly before: TextTrack | null;
  /** The wish that it comes from; null for one that others only touch. */
  readonly wish: Wish | null;
  readonly kind: TrackKind;
  readonly srclang: string;
  readonly label: string;
  readonly is_default: boolean;
  readonly content: NewContent | null;
}

export interface Plan {
  /** Those that stay first, by index; then new ones. */
  readonly planned: readonly Planned[];
  readonly removed: readonly TextTrack[];
}

function planOne({ wish, kind, srclang, label, content }: Prepared, now: TextTrack | null): Planned {
  const wanted = wish.input.default ?? now?.is_default ?? false;
  return {
    ...{ before: now, wish, kind, srclang, content },
    label: label ?? now?.label ?? standardLabel(kind, srclang),
    is_default: wanted && defaultGroup(kind) !== null,
  };
}

function untouched(track: TextTrack): Planned {
  const { kind, srclang, label, is_default } = track;
  return { before: track, wish: null, kind, srclang, label, is_default, content: null };
}

/**
 * The list as it is to be, by the rules that bind tracks to each other.
 * @param tracks the list as it is, locked
 * @throws `track_exists`, `too_many_tracks`, `rest_invalid_param`
 */
export function planTracks(
  call: Call,
  tracks: readonly TextTrack[],
  ready: readonly Prepared[],
  write: { readonly isWhole: boolean; readonly unknownIndex: (wish: Wish) => never },
): Plan {
  const wished = ready.map((prepared) => {
    const { wish } = prepared;
    if (wish.index === null) return planOne(prepared, null);
    const now = tracks.find(({ index }) => index === wish.index) ?? write.unknownIndex(wish);
    return planOne(prepared, now);
  });
  const named = new Set(ready.map(({ wish }) => wish.index));
  const others = tracks.filter(({ index }) => !named.has(index));
  const staying = write.isWhole ? [] : others.map(untouched);
  const all = [...staying, ...wished].toSorted(byIndex);
  checkIdentities(all);
  if (all.length > tracks.length && all.length > call.setting<number>('max_tracks')) fail('too_many_tracks');
  checkDefaults(wished, write.isWhole);
  return { planned: oneDefault(all), removed: write.isWhole ? others : [] };
}

/** New tracks come last, in the order in which they were given. */
const byIndex = (a: Planned, b: Planned): number =>
  (a.before?.index ?? Number.MAX_SAFE_INTEGER) - (b.before?.index ?? Number.MAX_SAFE_INTEGER);

function checkIdentities(all: readonly Planned[]): void {
  const first = new Map<string, Planned>();
  for (const track of all) {
    const identity = JSON.stringify([track.kind, track.srclang, track.label]);
    const twin = first.get(identity);
    if (twin) {
      // The one that is told is the one that the client did not mean.
      const told = twin.wish === null || track.before === null ? twin : track;
      const index = told.before?.index;
      fail('track_exists', { data: index === undefined ? {} : { index } });
    }
    first.set(identity, track);
  }
}

/** Of a whole list the client says which one is the default, and cannot say two. */
function checkDefaults(wished: readonly Planned[], isWhole: boolean): void {
  if (!isWhole) return;
  const groups = new Set<string>();
  for (const { wish, kind } of wished) {
    const group = wish?.input.default ? defaultGroup(kind) : null;
    if (group === null || wish === null) continue;
    if (groups.has(group))
      invalidParams({ [`${wish.at}default`]: 'must be true for one track of a group at most' });
    groups.add(group);
  }
}

/** Whoever was made the default by this request wins, else whoever came into the group, else whoever was it. */
function oneDefault(all: readonly Planned[]): Planned[] {
  const chosen = new Map<string, Planned>();
  const rank = (track: Planned): number => {
    if (track.wish?.input.default) return 2;
    const isNewcomer = track.before && defaultGroup(track.before.kind) !== defaultGroup(track.kind);
    return isNewcomer ? 1 : 0;
  };
  for (const track of all) {
    const group = defaultGroup(track.kind);
    if (!track.is_default || group === null) continue;
    const best = chosen.get(group);
    if (!best || rank(track) > rank(best)) chosen.set(group, track);
  }
  return all.map((track) => ({
    ...track,
    is_default: track.is_default && chosen.get(defaultGroup(track.kind) ?? '') === track,
  }));
}
