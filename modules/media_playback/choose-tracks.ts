import { canonicalTag, defaultGroup, type TextTrack } from '@lyceum/core';

/** Tracks as a player that wants a language is to have them. */
export interface ChosenTracks {
  /** Indexes of the tracks that are the default. */
  readonly defaults: ReadonlySet<number>;
  readonly chapters: TextTrack | null;
  /** The tag of the match; null where nothing matches or nothing is wanted. */
  readonly lang: string | null;
}

const language = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? '';

/** 2 for the very tag, 1 for the language with another script or region, else 0. */
function rankOf(tag: string, wanted: string): number {
  if (tag === '') return 0;
  if (tag.toLowerCase() === wanted.toLowerCase()) return 2;
  return language(tag) === language(wanted) ? 1 : 0;
}

/** The best match; of equals the first. */
function bestOf(tracks: readonly TextTrack[], wanted: string): TextTrack | null {
  let best: TextTrack | null = null;
  for (const track of tracks) {
    const rank = rankOf(track.srclang, wanted);
    if (rank > (best === null ? 0 : rankOf(best.srclang, wanted))) best = track;
  }
  return best;
}

/**
 * Chooses by a wanted language, else by what is stored.
 * @param tracks by index
 */
export function chooseTracks(tracks: readonly TextTrack[], wanted: string | null): ChosenTracks {
  const ofKind = (kind: TextTrack['kind']): TextTrack[] => tracks.filter((track) => track.kind === kind);
  const chapters = ofKind('chapters');
  const spoken = wanted === null ? null : bestOf([...ofKind('subtitles'), ...ofKind('captions')], wanted);
  const told = wanted === null ? null : bestOf(chapters, wanted);
  const isDefault = (track: TextTrack): boolean => {
    if (spoken && defaultGroup(track.kind) === 'spoken') return track === spoken;
    return told && track.kind === 'chapters' ? track === told : track.is_default;
  };
  return {
    defaults: new Set(tracks.filter(isDefault).map(({ index }) => index)),
    chapters: told ?? chapters.find(({ is_default }) => is_default) ?? chapters[0] ?? null,
    lang: spoken?.srclang ?? told?.srclang ?? null,
  };
}

/** Languages of subtitles and captions, each once. */
export const languagesOf = (tracks: readonly TextTrack[]): string[] => [
  ...new Set(
    tracks
      .filter(({ kind, srclang }) => defaultGroup(kind) === 'spoken' && canonicalTag(srclang) !== null)
      .map(({ srclang }) => srclang),
  ),
];
