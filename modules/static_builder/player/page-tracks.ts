/** A text track of a video or sound on a page, with its cues: pages of a course cannot load files of cues. */
export interface PageTrack {
  /** Value of the attribute `data-tracks` of the video or audio element that has the track. */
  readonly media: string;
  readonly kind: 'subtitles' | 'captions' | 'descriptions' | 'chapters' | 'metadata';
  /** BCP 47, or empty. */
  readonly language: string;
  readonly label: string;
  readonly isDefault: boolean;
  /** Times in milliseconds; text and settings as in WebVTT. */
  readonly cues: readonly {
    readonly start: number;
    readonly end: number;
    readonly settings: string;
    readonly text: string;
  }[];
}

/** The tracks of a page as `pageDocument` takes them; empty for none. */
export function cuesOf(tracks: readonly PageTrack[]): string {
  if (tracks.length === 0) return '';
  return JSON.stringify(
    tracks.map(({ media, kind, language, label, isDefault, cues }) => ({
      media,
      kind,
      language,
      label,
      isDefault,
      cues: cues.map(({ start, end, settings, text }) => ({ start, end, settings, text })),
    })),
  );
}
