/** A fenced block of a page: what it is, and what it holds. */
export interface Block {
  /** First word after the fence. */
  readonly kind: string;
  /** The rest of that line: a file, or how to run it. */
  readonly note: string;
  readonly text: string;
  readonly line: number;
}

/** The fenced blocks of a Markdown page, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { kind: string; note: string; line: number; lines: string[] } | null = null;
  for (const [at, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*) ?(.*)$/.exec(line);
    if (open && line === '```') {
      blocks.push({ kind: open.kind, note: open.note, text: open.lines.join('\n'), line: open.line });
      open = null;
    } else if (open) {
      open.lines.push(line);
    } else if (fence) {
      open = { kind: fence[1] ?? '', note: fence[2] ?? '', line: at + 1, lines: [] };
    }
  }
  if (open) throw new Error(`The block that begins in line ${open.line} has no end.`);
  return blocks;
}

/** Whether what was printed is what the page shows; `…` there stands for anything. */
export function shows(shown: string, printed: string): boolean {
  const pieces = shown.trim().split('…');
  let at = 0;
  const text = printed.trim();
  for (const [n, piece] of pieces.entries()) {
    const found = text.indexOf(piece, at);
    if (found === -1 || (n === 0 && found !== 0)) return false;
    at = found + piece.length;
  }
  return shown.trim().endsWith('…') || at === text.length;
}
