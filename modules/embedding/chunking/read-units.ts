import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { bareHtml } from './bare-html.ts';

/** A piece of text that belongs together, below these headings. */
export interface Unit {
  readonly heading_path: readonly string[];
  readonly text: string;
}

/** Units below one heading, in order. */
export interface Section {
  readonly heading_path: readonly string[];
  readonly units: readonly string[];
}

const dropped = new Set(['script', 'style', 'noscript', 'template', 'nav', 'head']);

const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form header hgroup hr html legend li main menu ol p pre search section summary table tbody ' +
    'tfoot thead tr ul video audio'
  ).split(' '),
);

const heading = /^h([1-6])$/;

/** Characters that are there for the line breaker: a word with them in it would be found by nobody. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;

const collapsed = (text: string): string => text.replaceAll(invisible, '').replaceAll(/\s+/g, ' ').trim();

interface OpenHeading {
  readonly level: number;
  readonly text: string;
}

/** Walks a document in order and cuts it where a reader sees a break. */
class Reader {
  readonly sections: { heading_path: string[]; units: string[] }[] = [];
  #headings: readonly OpenHeading[] = [];
  #inline: string[] = [];

  read(nodes: readonly Tree.ChildNode[]): void {
    for (const node of nodes) this.#readNode(node);
  }

  #readNode(node: Tree.ChildNode): void {
    if (isText(node)) {
      this.#inline.push(node.value);
      return;
    }
    if (!isElement(node) || dropped.has(node.tagName)) return;
    const level = heading.exec(node.tagName)?.[1];
    if (level) this.#open(Number(level), collapsed(textOf(node)));
    else if (node.tagName === 'tr') this.#unit(rowOf(node));
    else if (node.tagName === 'pre') this.#unit(preformatted(textOf(node)));
    else if (node.tagName === 'br') this.#inline.push(' ');
    else if (blocks.has(node.tagName)) this.#block(node);
    else this.read(node.childNodes);
  }

  #block(node: Tree.Element): void {
    this.end();
    this.read(node.childNodes);
    this.end();
  }

  /** A heading of level n takes the place of all from level n on. An empty one says nothing. */
  #open(level: number, text: string): void {
    this.end();
    if (text === '') return;
    this.#headings = [...this.#headings.filter((open) => open.level < level), { level, text }];
    this.sections.push({ heading_path: this.#headings.map((open) => open.text), units: [] });
  }

  #unit(text: string): void {
    this.end();
    this.#add(text);
  }

  /** Bare text up to here is a unit. */
  end(): void {
    const text = collapsed(this.#inline.join(''));
    this.#inline = [];
    this.#add(text);
  }

  #add(text: string): void {
    if (text === '') return;
    const last = this.sections.at(-1) ?? { heading_path: [], units: [] };
    if (this.sections.length === 0) this.sections.push(last);
    last.units.push(text);
  }
}

/**
 * The text of an HTML document as a browser would read it, by sections and units. Sections without text are left
 * out.
 */
export function readSections(html: string): readonly Section[] {
  const reader = new Reader();
  reader.read(parseFragment(bareHtml(html)).childNodes);
  reader.end();
  return reader.sections.filter(({ units }) => units.length > 0);
}

const isElement = (node: Tree.ChildNode): node is Tree.Element => 'tagName' in node;
const isText = (node: Tree.ChildNode): node is Tree.TextNode => node.nodeName === '#text';

/** All text below a node, breaks as spaces. */
function textOf(node: Tree.Element): string {
  const texts: string[] = [];
  const walk = (children: readonly Tree.ChildNode[]): void => {
    for (const child of children) {
      if (isText(child)) texts.push(child.value);
      if (!isElement(child) || dropped.has(child.tagName)) continue;
      const breaks = blocks.has(child.tagName) || child.tagName === 'br';
      if (breaks) texts.push('\n');
      walk(child.childNodes);
      if (breaks) texts.push('\n');
    }
  };
  walk(node.childNodes);
  return texts.join('');
}

/** A row of a table: its cells with a bar between them. */
function rowOf(row: Tree.Element): string {
  const cells = row.childNodes
    .filter(isElement)
    .filter(({ tagName }) => tagName === 'td' || tagName === 'th');
  const texts = cells.map((cell) => collapsed(textOf(cell)));
  return texts.some((text) => text !== '') ? texts.join(' | ') : '';
}

/** White space means something here, but for empty lines around it and spaces at the ends of lines. */
const preformatted = (text: string): string =>
  text
    .replaceAll(invisible, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
