import { type Call, type CueList, etagOf, FileLinks, type TextTrack } from '@lyceum/core';

/** The track with the lasting address of its file. */
export function presentTrack(call: Call, track: TextTrack) {
  const { index, kind, srclang, label, is_default, name, path, bytes, cues, duration } = track;
  const { created_at, updated_at } = track;
  const url = call.get(FileLinks).plain(call.site, path);
  return {
    ...{ index, kind, srclang, label, default: is_default, name, url, bytes, cues, duration },
    ...{ created_at, updated_at },
  };
}

/** The cues of a track as `include=cues` shows them. */
export const presentCues = ({ cues }: CueList) =>
  cues.map(({ id, start, end, text, settings }) => ({
    ...{ id, start: start / 1000, end: end / 1000, text, settings },
  }));

/**
 * The validator of a list: another one after every write, also one that wrote the same again, and after whatever the
 * artifacts did with the files.
 */
export const listEtag = (revision: number, tracks: readonly TextTrack[]): string =>
  etagOf(
    JSON.stringify([
      revision,
      tracks.map((track) => [track.id, track.path, track.updated_at, track.is_default]),
    ]),
  );
