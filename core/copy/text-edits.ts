/** A part of a text and what takes its place. */
export interface Edit {
  readonly from: number;
  /** Just behind the last character. */
  readonly to: number;
  readonly with: string;
}

/** The text with the edits in it; those that remove parts may overlap each other. The very text without any. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.from - b.from)) {
    if (edit.from > done) parts.push(text.slice(done, edit.from));
    parts.push(edit.with);
    done = Math.max(done, edit.to);
  }
  parts.push(text.slice(done));
  return parts.join('');
}
