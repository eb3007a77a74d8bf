import { type HtmlElement, HtmlTree } from './html-tree.ts';

/** Attributes whose value a browser may follow, or write into one that it follows. */
const followed = new Set(
  (
    'href xlink:href src action formaction data poster background srcset imagesrcset to from by values ping cite ' +
    'longdesc manifest code codebase archive classid lowsrc dynsrc'
  ).split(' '),
);

/** Elements that run, or that say how the rest of the document is read. */
const leftOut = new Set(['script', 'base', 'meta']);

/** What browsers read over in an address. */
const ignored = /[\u0000-\u0020]+/g;
const script = /(?:^|;)(?:javascript|vbscript):/i;

/** Frames of frames of frames: nobody means them. */
const deepestFrame = 2;

/** Reading anew what was written changes nothing any more after so many times, or never. */
const mostPasses = 4;

/**
 * The inside of a body without anything that runs: script elements, `on…` attributes and `javascript:` addresses, in the
 * documents of frames too. Written HTML is read again until it stays the same, because what one reading takes for a text
 * another may take for a tag; a text that never settles is given as a text.
 * @throws UnreasonableHtml
 */
export function inertHtml(html: string): string {
  return inert(html, 0);
}

function inert(html: string, frame: number): string {
  let before = html;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const tree = HtmlTree.read(before);
    makeInert(tree, frame);
    const after = tree.write();
    if (after === before) return after;
    before = after;
  }
  return before.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function makeInert(tree: HtmlTree, frame: number): void {
  const gone = new Set<HtmlElement>();
  for (const element of tree.elements()) {
    if (leftOut.has(element.tagName.toLowerCase())) gone.add(element);
    element.attrs = element.attrs.filter(({ name, prefix, value }) => {
      const whole = (prefix ? `${prefix}:${name}` : name).toLowerCase();
      if (whole.startsWith('on')) return false;
      return !(followed.has(whole) && script.test(value.replaceAll(ignored, '')));
    });
    const document = element.attrs.find(({ name }) => name === 'srcdoc');
    if (document) document.value = frame < deepestFrame ? inert(document.value, frame + 1) : '';
  }
  tree.remove(gone);
}
