/** What a text track is for, by the words of HTML. */
export const trackKinds = ['subtitles', 'captions', 'descriptions', 'chapters', 'metadata'] as const;
/** One of them. */
export type TrackKind = (typeof trackKinds)[number];

/** A text track of an attachment, with the artifact that is its file. */
export interface TextTrack {
  readonly id: number;
  /** Given once per attachment. */
  readonly index: number;
  readonly kind: TrackKind;
  /** BCP 47, or empty. */
  readonly srclang: string;
  readonly label: string;
  readonly is_default: boolean;
  readonly artifact_id: number;
  readonly cues: number;
  /** End of the last cue in seconds. */
  readonly duration: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Name of the file. */
  readonly name: string;
  /** Below the site's `/files/`: for `FileLinks`. */
  readonly path: string;
  readonly bytes: number;
  /** Folder of the file in the storage; stands for its content. */
  readonly place: string;
}

/** The columns of a track that its writer decides. */
export interface TrackColumns {
  readonly kind: TrackKind;
  readonly srclang: string;
  readonly label: string;
  readonly is_default: boolean;
  readonly artifact_id: number;
  readonly cues: number;
  readonly duration: number;
}

/** Tracks of which at most one is the default; null where none ever is. */
export function defaultGroup(kind: TrackKind): 'spoken' | 'descriptions' | 'chapters' | null {
  if (kind === 'subtitles' || kind === 'captions') return 'spoken';
  return kind === 'metadata' ? null : kind;
}
