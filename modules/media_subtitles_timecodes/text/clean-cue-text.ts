const spans = new Set(['b', 'i', 'u', 'c', 'v', 'lang', 'ruby', 'rt']);
/** Spans whose tags say more than their name: a voice, a language. */
const annotated = new Set(['v', 'lang']);

const tag = /<(\/?)([a-z]{1,4})((?:\.[^\s<>&.]{1,100})*)(?:[ \t\n]([^<>]*))?>/y;
const timestamp = /<(?:\d{2,6}:)?[0-5]\d:[0-5]\d\.\d{3}>/y;
const reference = /&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});/y;
const plain = /[^<>&]+/y;

function at(form: RegExp, text: string, index: number): RegExpExecArray | null {
  form.lastIndex = index;
  return form.exec(text);
}

/** Characters that stand for themselves, and references; everything else is escaped. */
function escaped(text: string): string {
  const pieces: string[] = [];
  for (let index = 0; index < text.length; ) {
    const found = at(plain, text, index) ?? at(reference, text, index);
    const piece = found?.[0] ?? { '<': '&lt;', '>': '&gt;' }[text.charAt(index)] ?? '&amp;';
    pieces.push(piece);
    index += found ? found[0].length : 1;
  }
  return pieces.join('');
}

/**
 * The markup of WebVTT in a cue, properly nested and closed; every other bracket and ampersand is text. One pass,
 * without recursion.
 */
export function cleanCueText(text: string): string {
  const pieces: string[] = [];
  const open: string[] = [];
  const close = (down: number): void => {
    while (open.length > down) pieces.push(`</${open.pop()}>`);
  };
  for (let index = 0; index < text.length; ) {
    const kept = at(plain, text, index) ?? at(timestamp, text, index) ?? at(reference, text, index);
    if (kept) {
      pieces.push(kept[0]);
      index += kept[0].length;
      continue;
    }
    const found = text[index] === '<' ? at(tag, text, index) : null;
    const [whole = '', slash, name = '', classes = '', annotation = ''] = found ?? [];
    if (!found || !spans.has(name)) {
      pieces.push(escaped(text.charAt(index)));
      index += 1;
      continue;
    }
    index += whole.length;
    if (slash) {
      const down = open.lastIndexOf(name);
      if (down >= 0) close(down);
    } else {
      const said = annotated.has(name) ? escaped(annotation.replaceAll(/[ \t\n]+/g, ' ').trim()) : '';
      pieces.push(`<${name}${classes}${said === '' ? '' : ` ${said}`}>`);
      open.push(name);
    }
  }
  // A voice that speaks to the end of the cue needs no end.
  const isVoice = open[0] === 'v' && text.startsWith('<v');
  close(isVoice ? 1 : 0);
  return pieces.join('');
}
