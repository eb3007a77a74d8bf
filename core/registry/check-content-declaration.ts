import { isPlainObject } from '../api/schema.ts';
import { isSchema } from './declaration-fault.ts';

/** The field below a declaration that is wrong, and the mend. */
export type Fault = readonly [field: string, mend: string];

type Row = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const oneOf =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);
/** What must hold of each field of an entry, and how to say so. */
type Rules = Readonly<Record<string, readonly [holds: (value: unknown) => boolean, mend: string]>>;

const lists: Readonly<Record<string, Rules>> = {
  postTypes: {
    id: [isText, 'must be a text.'],
    title: [isText, 'must be a text.'],
    capabilities: [oneOf('post', 'page'), 'must be "post" or "page".'],
    hierarchical: [isFlag, 'must be true or false.'],
    duplicable: [isFlag, 'must be true or false.'],
  },
  taxonomies: {
    id: [isText, 'must be a text.'],
    title: [isText, 'must be a text.'],
    scope: [oneOf('network', 'site'), 'must be "network" or "site".'],
    hierarchical: [isFlag, 'must be true or false.'],
    namesMayRepeat: [isFlag, 'must be true or false.'],
  },
  meta: {
    on: [oneOf('post', 'term'), 'must be "post" or "term".'],
    of: [isTexts, 'must be an array of post types or taxonomies.'],
    key: [isText, 'must be a text.'],
    schema: [isSchema, 'must be a yup schema.'],
  },
  listeners: {
    notice: [isText, 'must be the name of a notice; make the entry with on(notice, react).'],
    react: [isFunction, 'must be a function; make the entry with on(notice, react).'],
  },
};

/** The first fault among the lists of content, the hooks and the errors elsewhere; null when there is none. */
export function contentFault(given: Row): Fault | null {
  for (const [name, rules] of Object.entries(lists)) {
    const fault = listFault(name, given[name], rules);
    if (fault) return fault;
  }
  return hooksFault(given.hooks) ?? elsewhereFault(given.errorsElsewhere) ?? twiceFault(given);
}

function listFault(name: string, list: unknown, rules: Rules): Fault | null {
  if (list === undefined) return null;
  if (!Array.isArray(list)) return [name, 'must be an array.'];
  for (const [at, entry] of list.entries()) {
    if (!isPlainObject(entry)) return [`${name}[${at}]`, 'must be an object.'];
    const label = isText(entry.id) ? `${name}.${entry.id}` : `${name}[${at}]`;
    for (const [field, [holds, mend]] of Object.entries(rules)) {
      if (!holds(entry[field])) return [`${label}.${field}`, mend];
    }
  }
  return null;
}

function hooksFault(hooks: unknown): Fault | null {
  if (!isPlainObject(hooks)) return null;
  const wrong = Object.entries(hooks).find(([, hook]) => hook !== undefined && !isFunction(hook));
  return wrong ? [`hooks.${wrong[0]}`, 'must be a function.'] : null;
}

function elsewhereFault(table: unknown): Fault | null {
  if (table === undefined) return null;
  if (!isPlainObject(table)) return ['errorsElsewhere', 'must be an object.'];
  const wrong = Object.entries(table).find(([, codes]) => !isTexts(codes));
  return wrong ? [`errorsElsewhere.${wrong[0]}`, 'must be an array of codes.'] : null;
}

const unique = [
  ...['migrations', 'jobs', 'schedules', 'pages', 'pageAdditions', 'areas'],
  ...['conditions', 'postTypes', 'taxonomies'],
];

/** Of two entries with one id only one would ever count. */
function twiceFault(given: Row): Fault | null {
  for (const name of unique) {
    const list = given[name];
    if (!Array.isArray(list)) continue;
    const ids = list.map((entry) => (isPlainObject(entry) ? entry.id : undefined));
    const twice = ids.find((id, at) => id !== undefined && ids.indexOf(id) !== at);
    if (twice !== undefined) return [`${name}.${String(twice)}`, 'is declared twice; rename one.'];
  }
  return null;
}

/** Two operations behind one method and path: the second would never be asked. */
export function routeTwice(
  operations: readonly { readonly id: string; readonly method: string; readonly path: string }[],
): Fault | null {
  const seen = new Map<string, string>();
  for (const { id, method, path } of operations) {
    // Names of parameters tell no paths apart.
    const route = `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
    const other = seen.get(route);
    if (other)
      return [`operations.${id}.path`, `"${method} ${path}" is the route of ${other}; choose another.`];
    seen.set(route, id);
  }
  return null;
}
