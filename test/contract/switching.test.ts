import { expect } from 'chai';
import { requiredBy } from '../../core/registry/effective.ts';
import { specs } from '../../core/registry/spec.ts';
import type { TestHost } from '../kit/index.ts';
import { ask, pathToNothing } from './ask.ts';
import { startWithEverythingOn, wish } from './everything-on.ts';

describe('switching every module', () => {
  let lyceum: TestHost;
  let headers: Readonly<Record<string, string>>;

  before(async () => {
    lyceum = await startWithEverythingOn();
    headers = (await lyceum.make.user({ superAdminOf: 1 })).headers;
  });
  after(() => lyceum.stop());

  /** Operations of the module that answer as if there were no such route. */
  async function absent(id: string): Promise<string[]> {
    const found: string[] = [];
    for (const compiled of lyceum.host.routes.operations.filter(({ module }) => module.id === id)) {
      const { method } = compiled.operation;
      const { json } = await ask(lyceum.origin, { method, route: pathToNothing(compiled), headers });
      if (json?.code === 'rest_no_route') found.push(compiled.operation.id);
    }
    return found.sort();
  }

  const operationIds = (id: string): string[] =>
    lyceum.host.routes.operations
      .filter(({ module }) => module.id === id)
      .map(({ operation }) => operation.id)
      .sort();

  it('loads each of them without an error', () => {
    const failed = [...lyceum.host.modules.values()].filter(({ error }) => error);
    expect(failed.map(({ id, error }) => `${id}: ${error?.message}`)).to.deep.equal([]);
  });

  it('serves all operations of what is on', async () => {
    const found: string[] = [];
    for (const { id } of specs(lyceum.host.modules)) found.push(...(await absent(id)));
    expect(found).to.deep.equal([]);
  });

  it('serves none of a module that is off, nor of those that require it, and all again once it is on', async () => {
    const wrong: string[] = [];
    for (const { id, locked } of specs(lyceum.host.modules)) {
      if (locked) continue;
      const gone = [id, ...requiredBy(lyceum.host.modules, id)];
      await wish(lyceum, id, false);
      for (const module of gone) {
        if (String(await absent(module)) !== String(operationIds(module))) {
          wrong.push(`${module} is served while ${id} is off`);
        }
      }
      await wish(lyceum, id, true);
      for (const module of gone) {
        if ((await absent(module)).length > 0) wrong.push(`${module} is not served though ${id} is on again`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('lists in the index and in openapi.json exactly what is served', async () => {
    const paths = (): string[] => lyceum.host.routes.operations.map(({ operation }) => `/${operation.path}`);
    for (const spec of specs(lyceum.host.modules)) {
      if (spec.locked || spec.operations.length === 0) continue;
      await wish(lyceum, spec.id, false);
      const off = new Set([spec.id, ...requiredBy(lyceum.host.modules, spec.id)]);
      const served = lyceum.host.routes.operations.filter(({ module }) => !off.has(module.id));
      const described = (await lyceum.anonymous.get('openapi.json').expect(200)).body;
      expect(Object.keys(described.paths).sort(), spec.id).to.deep.equal(
        [...new Set(served.map(({ operation }) => `/${operation.path}`))].sort(),
      );
      const { body } = await lyceum.anonymous.get('').expect(200);
      expect(body.namespaces, spec.id).to.not.include.members([...spec.namespaces]);
      await wish(lyceum, spec.id, true);
    }
    const described = (await lyceum.anonymous.get('openapi.json').expect(200)).body;
    expect(Object.keys(described.paths).sort()).to.deep.equal([...new Set(paths())].sort());
  });
});
