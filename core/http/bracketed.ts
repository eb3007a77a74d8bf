import { invalidParams } from './input.ts';

/** Names that one request may have; a table of 20 columns has about 150. */
const mostNames = 1_000;

/** Brackets behind one name. */
const mostBrackets = 6;

/** Numbers from 0 that may stand in brackets. */
const mostItems = 100;

const namesForm = /^([^[\]]{1,100})((?:\[[^[\]]{0,100}\])*)$/;

type Nested = Map<string, string | Nested>;

/**
 * Values under bracketed names, as `order[0][dir]=asc`, as the lists and objects that they stand for. A name that
 * has no such form stands for itself.
 * @throws `rest_invalid_param` for too many names, brackets or numbers, and for one name that is two things
 */
export function nestedOf(pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const root: Nested = new Map();
  let names = 0;
  for (const [name, value] of pairs) {
    names += 1;
    if (names > mostNames) refuse('query', `must have at most ${mostNames} names`);
    place(root, pathOf(name), value);
  }
  return Object.fromEntries([...root].map(([name, member]) => [name, plain(name, member)]));
}

function pathOf(name: string): string[] {
  const [, first = name, brackets = ''] = namesForm.exec(name) ?? [];
  const inner = brackets === '' ? [] : brackets.slice(1, -1).split('][');
  if (inner.length > mostBrackets) refuse(first, `must be nested at most ${mostBrackets} deep`);
  return [first, ...inner];
}

function place(root: Nested, path: readonly string[], value: string): void {
  const name = path[0] ?? '';
  let at = root;
  for (const key of path.slice(0, -1)) {
    const found: string | Nested = at.get(key) ?? new Map();
    if (typeof found === 'string') return refuse(name, 'must be given in one way');
    at.set(key, found);
    at = found;
  }
  const last = path.at(-1) ?? '';
  if (at.has(last)) refuse(name, 'must be given once');
  at.set(last, value);
}

/** No deeper than brackets may be. */
function plain(name: string, member: string | Nested): unknown {
  if (typeof member === 'string') return member;
  const keys = [...member.keys()];
  if (!keys.every((key) => /^\d{1,9}$/.test(key))) {
    return Object.fromEntries([...member].map(([key, inner]) => [key, plain(name, inner)]));
  }
  if (keys.some((key) => Number(key) >= mostItems)) refuse(name, `must have at most ${mostItems} items`);
  if (keys.some((key) => Number(key) >= keys.length)) refuse(name, 'must be numbered from 0, without gaps');
  const ordered = [...member].sort(([a], [b]) => Number(a) - Number(b));
  return ordered.map(([, inner]) => plain(name, inner));
}

const refuse = (name: string, problem: string): never => invalidParams({ [name.slice(0, 100)]: problem });
