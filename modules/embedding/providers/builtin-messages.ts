/** What the thread is asked, each with a number by which its answer is known. */
export type ThreadQuestion =
  | { readonly id: number; readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly id: number; readonly kind: 'language'; readonly text: string };

/** The language that a text is in, as far as its letters tell. */
export interface DetectedLanguage {
  /** ISO 639-1; empty for none. */
  readonly language: string;
  readonly reliable: boolean;
}

export type ThreadAnswer =
  | { readonly id: number; readonly vectors: readonly (readonly number[])[] }
  | { readonly id: number; readonly detected: DetectedLanguage }
  | { readonly id: number; readonly error: string; readonly missing: boolean };

/** Which packages the thread works with. */
export interface ThreadData {
  readonly model: string;
}
