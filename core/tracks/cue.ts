/** A cue of a text track. Times are whole milliseconds. */
export interface Cue {
  /** Empty for none; one line without an arrow. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** Cue settings of WebVTT, separated by single spaces; empty for none. */
  readonly settings: string;
  /** Lines without an empty one between them; markup of WebVTT. */
  readonly text: string;
  /** Comment blocks that stand before the cue. */
  readonly notes: readonly string[];
}

/** What a file of WebVTT holds, style sheets left out. */
export interface CueList {
  /** Definitions of regions, each a block of lines. */
  readonly regions: readonly string[];
  readonly cues: readonly Cue[];
  /** Comment blocks behind the last cue. */
  readonly notes: readonly string[];
}

/** What is wrong with a track, and where: a line of the file, counted from 1. */
export interface TrackProblem {
  readonly line: number;
  readonly message: string;
}

/** The arrow between two times; it can stand nowhere else in a file. */
export const arrow = '-->';
