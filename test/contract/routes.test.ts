import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { hostErrors } from '../../core/api/host-errors.ts';
import { RouteTable } from '../../core/http/route-table.ts';
import type { InstalledModules } from '../../core/registry/spec.ts';
import { methodsOf, specs } from '../../core/registry/spec.ts';
import { goldenLines } from '../golden/lines.ts';
import { builtinModules } from './everything-on.ts';

const golden = (name: string): Promise<string[]> =>
  readFile(path.join(import.meta.dirname, '../golden', name), 'utf8').then((text) =>
    text.split('\n').filter((line) => line !== ''),
  );

const isParameter = (segment: string): boolean => segment.startsWith('{');

type Overlap = 'apart' | 'same' | 'left' | 'right' | 'crossing';

/** How two patterns stand: whether some path matches both, and which one is then the more exact. */
function overlap(left: string, right: string): Overlap {
  const [a, b] = [left.split('/'), right.split('/')];
  if (a.length !== b.length) return 'apart';
  let leftWins = false;
  let rightWins = false;
  for (const [at, segment] of a.entries()) {
    const other = b[at] ?? '';
    if (isParameter(segment) && isParameter(other)) continue;
    if (isParameter(other)) leftWins = true;
    else if (isParameter(segment)) rightWins = true;
    else if (segment !== other) return 'apart';
  }
  if (leftWins && rightWins) return 'crossing';
  return leftWins ? 'left' : rightWins ? 'right' : 'same';
}

describe('routes of every module', () => {
  let modules: InstalledModules;
  let table: RouteTable;

  before(async () => {
    modules = await builtinModules();
    table = new RouteTable(modules);
  });

  it('are matched one at a time: of two patterns that fit a path one is more exact, and it wins', () => {
    const wrong: string[] = [];
    const paths = [...table.routes()];
    for (const [at, left] of paths.entries()) {
      for (const right of paths.slice(at + 1)) {
        const found = overlap(left.path, right.path);
        if (found === 'crossing' || found === 'same') wrong.push(`${left.path} and ${right.path}`);
        if (found !== 'left' && found !== 'right') continue;
        const exact = found === 'left' ? left : right;
        const concrete = exact.path.replaceAll(/\{\w+\}/g, '7');
        if (table.match(concrete)?.route !== exact) wrong.push(`${concrete} is not ${exact.path}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('have one operation per method', () => {
    for (const { path: pattern, operations } of table.routes()) {
      const taken = new Set(operations.map(({ operation }) => operation.method));
      const declared = operations.flatMap(({ operation }) => methodsOf(operation, taken));
      const primary = operations.map(({ operation }) => operation.method);
      expect(new Set(primary).size, pattern).to.equal(primary.length);
      expect(declared, pattern).to.include.members(primary);
    }
  });

  it('have a summary of one line, and ids that are unique and begin with their module', () => {
    const operations = table.operations.map(({ operation, module }) => ({ ...operation, module: module.id }));
    const untold = operations.filter(({ summary }) => !summary || summary.includes('\n'));
    expect(untold.map(({ id }) => id)).to.deep.equal([]);
    const foreign = operations.filter(({ id, module }) => !id.startsWith(`${module}.`));
    expect(foreign.map(({ id }) => id)).to.deep.equal([]);
    expect(new Set(operations.map(({ id }) => id)).size).to.equal(operations.length);
  });

  it('are marked as part of the published contract exactly when they are', async () => {
    const published = new Set(await golden('contract.txt'));
    const wrong = table.operations.filter(
      ({ operation }) =>
        (operation.contract === true) !== published.has(`${operation.method} ${operation.path}`),
    );
    expect(wrong.map(({ operation }) => operation.id)).to.deep.equal([]);
  });

  it('are those of the golden list; `npm run golden` writes it anew', async () => {
    expect(goldenLines(table)).to.deep.equal(await golden('operations.txt'));
  });

  it('claim no code that belongs to another module or to the host', () => {
    const owners = new Map(Object.keys(hostErrors).map((code) => [code, 'the host']));
    const twice: string[] = [];
    for (const { id, errors } of specs(modules)) {
      for (const code of Object.keys(errors)) {
        if (owners.has(code)) twice.push(`${code} of ${owners.get(code)} and ${id}`);
        owners.set(code, id);
      }
    }
    expect(twice).to.deep.equal([]);
  });
});
