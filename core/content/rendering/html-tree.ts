import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parseFragment,
  serialize,
} from 'parse5';
import { htmlAttributes, htmlTokens } from '../html-tokens.ts';

/** An element of a tree, as parse5 makes it. */
export type HtmlElement = DefaultTreeAdapterTypes.Element;
type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** As deep as browsers let elements nest; behind that a tree costs the square of its text. */
const deepest = 512;

/** A tag with a million attributes costs the square of that. */
const mostAttributes = 1_000;

/** HTML that nests deeper, or has more attributes in one tag, than any page that somebody wrote. */
export class UnreasonableHtml extends Error {}

function checkTags(html: string): void {
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'start' || token.to - token.from < mostAttributes) continue;
    let many = 0;
    for (const _attribute of htmlAttributes(html, token)) many += 1;
    if (many > mostAttributes)
      throw new UnreasonableHtml(`A tag has more than ${mostAttributes} attributes.`);
  }
}

/** The tree builder puts nodes near the end of their parents, and is slow where it looks for it from the front. */
function boundedAdapter(): typeof defaultTreeAdapter {
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    insertBefore(parent, node, reference) {
      const at = parent.childNodes.lastIndexOf(reference as HtmlNode);
      parent.childNodes.splice(at, 0, node);
      node.parentNode = parent;
    },
    detachNode(node) {
      const { parentNode } = node;
      if (!parentNode) return;
      parentNode.childNodes.splice(parentNode.childNodes.lastIndexOf(node), 1);
      node.parentNode = null;
    },
    onItemPush() {
      depth += 1;
      if (depth > deepest) throw new UnreasonableHtml(`Elements nest deeper than ${deepest}.`);
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

/** The inside of a body as a tree, as a browser builds it. */
export class HtmlTree {
  readonly #root: HtmlParent;

  private constructor(root: HtmlParent) {
    this.#root = root;
  }

  /** @throws UnreasonableHtml */
  static read(html: string): HtmlTree {
    checkTags(html);
    const body = defaultTreeAdapter.createElement('body', names.NS.HTML, []);
    return new HtmlTree(parseFragment(body, html, { treeAdapter: boundedAdapter() }));
  }

  /** Every element in document order, those in templates too. */
  *elements(): Iterable<HtmlElement> {
    const open: HtmlNode[] = childrenOf(this.#root);
    for (let node = open.pop(); node; node = open.pop()) {
      if (!defaultTreeAdapter.isElementNode(node)) continue;
      yield node;
      for (const child of childrenOf(node)) open.push(child);
    }
  }

  /** Takes these elements out, with all that is in them. */
  remove(elements: ReadonlySet<HtmlElement>): void {
    if (elements.size === 0) return;
    const parents = new Set([...elements].flatMap(({ parentNode }) => parentNode ?? []));
    for (const parent of parents) {
      const kept = parent.childNodes.filter((node) => !elements.has(node as HtmlElement));
      parent.childNodes.splice(0, parent.childNodes.length, ...kept);
    }
  }

  /** As HTML. */
  write(): string {
    return serialize(this.#root);
  }
}

/** Children from last to first. */
function childrenOf(node: HtmlParent): HtmlNode[] {
  const { childNodes } = 'content' in node ? node.content : node;
  return childNodes.toReversed();
}

/** The text of an element that holds nothing else, as style does. */
export const elementText = (element: HtmlElement): string =>
  element.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');

/** Makes the element hold this text and nothing else. */
export function setText(element: HtmlElement, text: string): void {
  for (const child of [...element.childNodes]) defaultTreeAdapter.detachNode(child);
  defaultTreeAdapter.insertText(element, text);
}
