import { isPlainObject } from '../../api/schema.ts';

interface Fault {
  readonly code: 'block_unbalanced' | 'block_attrs';
  readonly message: string;
}

/** What block comments of a text say. */
export interface BlockReport {
  readonly faults: readonly Fault[];
  readonly blocks: number;
  /** Blocks within each other. */
  readonly depth: number;
}

/** Faults that are told. */
const mostFaults = 100;

const opening = /^\s+(\/?)wp:([a-z][a-z0-9_/-]*)(?=\s|$|\/$)/;

interface Comment {
  readonly closes: boolean;
  readonly name: string;
  /** What stands behind the name: attributes, if any. */
  readonly rest: string;
  /** It is a block by itself. */
  readonly whole: boolean;
}

/** The block that a comment is about; null for any other comment. */
function blockOf(inside: string): Comment | null {
  // A comment may have 5 MiB; its name stands at its beginning.
  const found = opening.exec(inside.slice(0, 300));
  if (!found) return null;
  const [whole, slash, name = ''] = found;
  const rest = inside.slice(whole.length).trim();
  const single = rest.endsWith('/');
  return {
    closes: slash === '/',
    name: name.startsWith('core/') ? name.slice('core/'.length) : name,
    rest: single ? rest.slice(0, -1).trim() : rest,
    whole: single,
  };
}

function isAttributes(text: string): boolean {
  if (text === '') return true;
  try {
    return isPlainObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Reads block comments one after the other; linear, whatever their depth. */
export function checkBlocks(html: string): BlockReport {
  const faults: Fault[] = [];
  const open: string[] = [];
  let blocks = 0;
  let depth = 0;
  const tell = (code: Fault['code'], message: string): void => {
    if (faults.length < mostFaults) faults.push({ code, message });
  };
  for (let at = html.indexOf('<!--'); at >= 0; ) {
    const end = html.indexOf('-->', at + 4);
    if (end < 0) break;
    const block = blockOf(html.slice(at + 4, end));
    if (block) read(block);
    at = html.indexOf('<!--', end + 3);
  }
  if (open.length > 0) tell('block_unbalanced', `A block "${shown(open.at(-1))}" is opened and not closed.`);
  return { faults, blocks, depth };

  function read({ closes, name, rest, whole }: Comment): void {
    if (closes) {
      if (open.at(-1) === name) open.pop();
      else tell('block_unbalanced', `A block "${shown(name)}" is closed that is not the one that is open.`);
      return;
    }
    blocks += 1;
    depth = Math.max(depth, open.length + 1);
    if (!isAttributes(rest))
      tell('block_attrs', `Attributes of a block "${shown(name)}" are no JSON object.`);
    if (!whole) open.push(name);
  }
}

const shown = (name: string | undefined): string => (name ?? '').slice(0, 100);
