import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { specs } from '../../core/registry/spec.ts';
import type { TestHost } from '../kit/index.ts';
import { builtinModules, startWithEverythingOn } from './everything-on.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly 'x-module'?: string;
  readonly 'x-extension'?: boolean;
  readonly 'x-access'?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Every schema of the document, with the place where it stands. */
function schemasIn(node: unknown, place: string): [string, unknown][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, member]): [string, unknown][] => {
    const at = `${place}/${key}`;
    if (key === 'schema') return [[at, member]];
    return key === 'example' || key === 'value' ? [] : schemasIn(member, at);
  });
}

describe('openapi.json with every module on', () => {
  let lyceum: TestHost;
  let text: string;
  let document: Document;

  before(async () => {
    lyceum = await startWithEverythingOn();
    text = (await lyceum.anonymous.get('openapi.json').expect(200)).text;
    document = JSON.parse(text) as Document;
  });
  after(() => lyceum.stop());

  it('passes the strict recommended rules of a linter, examples held against their schemas included', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    const told = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
    );
    expect(told).to.deep.equal([]);
  });

  it('fits the JSON Schema that the specification publishes', async () => {
    const file = path.join(import.meta.dirname, 'openapi-3.1.schema.json');
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'media-range': true } });
    addFormats.default(ajv);
    const fits = ajv.compile(JSON.parse(await readFile(file, 'utf8')));
    expect(fits(document), JSON.stringify(fits.errors?.slice(0, 10))).to.equal(true);
    expect(fits({ ...document, info: {} }), 'the check finds faults').to.equal(false);
  });

  it('describes every value by a JSON Schema 2020-12 that compiles', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const schemas = schemasIn(document.paths, '');
    expect(schemas).to.have.length.above(0);
    const wrong = schemas.filter(([, schema]) => {
      const isReference = typeof schema === 'object' && schema !== null && '$ref' in schema;
      return !isReference && !ajv.validateSchema(schema as object);
    });
    expect(wrong.map(([place]) => place)).to.deep.equal([]);
  });

  it('marks as extension whatever is not of the published contract or not of a module of the host', async () => {
    const builtin = await builtinModules();
    const told = Object.values(document.paths).flatMap((operations) => Object.values(operations));
    const declared = [...specs(lyceum.host.modules)].flatMap(({ id, operations }) =>
      operations.map((operation) => {
        const isContract = operation.contract === true && builtin.has(id);
        return [operation.id, isContract ? undefined : true];
      }),
    );
    expect(
      Object.fromEntries(told.map((operation) => [operation.operationId, operation['x-extension']])),
    ).to.deep.equal(Object.fromEntries(declared));
  });

  it('says of each operation whose it is and who may use it', () => {
    const told = Object.values(document.paths).flatMap((operations) => Object.values(operations));
    const silent = told.filter(
      (operation) => !operation.summary || !operation['x-module'] || !operation['x-access'],
    );
    expect(silent.map(({ operationId }) => operationId)).to.deep.equal([]);
  });
});
