import { isPlainObject } from '../../api/schema.ts';
import { checkElement, type PageElement, type PageMemory, type Standing } from './element-rules.ts';
import { nestsDeeper } from './json-depth.ts';
import { byPlace, type Place, pointerOf, root } from './place.ts';
import { mostPageBytes, mostProblems, type PageReport, type PageStats, type Severity } from './problem.ts';
import type { PageRules } from './widget-words.ts';

const mostLevels = 30;
const mostElements = 5_000;

/** Brackets within each other: 30 levels of elements need 60, their settings a few more. */
const mostBrackets = 500;

/** Problems that are kept to be put in order: a text of 5 MiB can have millions. */
const mostKept = 5_000;

interface Found {
  readonly code: string;
  readonly severity: Severity;
  readonly place: Place | null;
  readonly message: string;
}

/** Counts while the page is walked. */
class Stats {
  elements = 0;
  widgets = 0;
  depth = 0;
  readonly types = new Map<string, number>();

  count({ elType, widgetType }: PageElement, level: number): void {
    this.elements += 1;
    this.depth = Math.max(this.depth, level);
    if (elType !== 'widget') return;
    this.widgets += 1;
    if (typeof widgetType === 'string') this.types.set(widgetType, (this.types.get(widgetType) ?? 0) + 1);
  }

  shown(bytes: number): PageStats {
    const { elements, widgets, depth, types } = this;
    return { bytes, elements, widgets, depth, widget_types: Object.fromEntries(types) };
  }
}

/**
 * Checks a page-builder document by every rule at once. Linear in its text; walks without recursion.
 */
export function checkPagebuilder(json: string, rules: PageRules): PageReport {
  const found: Found[] = [];
  let valid = true;
  const stats = new Stats();
  const tell: PageMemory['tell'] = (code, severity, place, message) => {
    if (severity === 'error') valid = false;
    if (found.length < mostKept || place === root) found.push({ code, severity, place, message });
  };
  const bytes = Buffer.byteLength(json);
  if (bytes > mostPageBytes) tell('pb_size', 'error', root, 'The document has more than 5 MiB.');
  const parsed = parse(json);
  if (parsed === 'deep') tell('pb_depth', 'error', root, `Is nested deeper than ${mostBrackets} brackets.`);
  else if (parsed === 'broken') tell('pb_json', 'error', root, 'The document is no JSON.');
  else if (!Array.isArray(parsed.value))
    tell('pb_root', 'error', root, 'The document is no array of elements.');
  else {
    if (parsed.value.length === 0) tell('pb_empty', 'warning', root, 'The page is empty.');
    walk(parsed.value, stats, { ids: new Set(), rules, tell });
  }
  if (stats.elements > mostElements) {
    tell('pb_count', 'error', root, `The page has more than ${mostElements} elements.`);
  }
  return {
    valid,
    problems: found
      .sort((one, other) => byPlace(one.place, other.place))
      .slice(0, mostProblems)
      .map(({ code, severity, place, message }) => ({ code, severity, pointer: pointerOf(place), message })),
    stats: stats.shown(bytes),
  };
}

function parse(json: string): { readonly value: unknown } | 'deep' | 'broken' {
  if (nestsDeeper(json, mostBrackets)) return 'deep';
  try {
    return { value: JSON.parse(json) as unknown };
  } catch {
    return 'broken';
  }
}

interface Waiting extends Omit<Standing, 'element'> {
  readonly given: unknown;
  readonly level: number;
}

/** Elements in the order of the document, each before those in it: so the second of two equal ids is the later one. */
function walk(top: readonly unknown[], stats: Stats, memory: PageMemory): void {
  const open: Waiting[] = [];
  const wait = (
    elements: readonly unknown[],
    above: Place | null,
    parent: PageElement | null,
    level: number,
  ) => {
    for (let key = elements.length - 1; key >= 0; key -= 1) {
      open.push({ given: elements[key], place: { above, key }, parent, level });
    }
  };
  wait(top, root, null, 1);
  for (let next = open.pop(); next; next = open.pop()) {
    const { given, place, parent, level } = next;
    if (level > mostLevels) {
      memory.tell('pb_depth', 'error', place, `Lies deeper than ${mostLevels} levels.`);
      continue;
    }
    if (!isPlainObject(given)) {
      memory.tell('pb_element', 'error', place, 'An element is an object.');
      continue;
    }
    stats.count(given, level);
    checkElement({ element: given, place, parent }, memory);
    if (Array.isArray(given.elements)) {
      wait(given.elements, { above: place, key: 'elements' }, given, level + 1);
    }
  }
}
