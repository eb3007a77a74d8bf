import type { Language } from './languages.ts';

/** A mail as it is worded: texts with names in braces, and what stands for them. */
export interface Letter {
  /** One address. */
  readonly to: string;
  readonly language: Language;
  /** May hold names in braces. */
  readonly subject: string;
  /** Paragraphs, with an empty line between them. */
  readonly text: string;
  /** By name. `{site}` is always the title of the site. */
  readonly values: Readonly<Record<string, string>>;
  /** The value that is a code to type in; alone in its paragraph it is set large. */
  readonly code?: string;
  /** The value that is a link; alone in its paragraph it becomes a button with this label. */
  readonly link?: { readonly name: string; readonly label: string };
}

/** Fills names in braces, in one pass: what a value brings in is not read again. Unknown names stay as they are. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w{1,40})\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
