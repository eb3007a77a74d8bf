import { expect } from 'chai';
import * as yup from 'yup';
import { id, idText, list, pageQuery } from '../../core/api/schema.ts';
import { compilePlainCheck } from '../../core/http/plain-check.ts';

const values: readonly unknown[] = [
  undefined,
  null,
  '',
  'a',
  'b',
  'abcdef',
  '7',
  0,
  1,
  2,
  1.5,
  -1,
  3e9,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  false,
  [],
  ['a'],
  ['a', 'b', 'a'],
  [1, 2],
  [null],
  {},
  { a: 'a' },
  new Date(0),
];

const fields: Readonly<Record<string, yup.AnySchema>> = {
  string: yup.string(),
  'string required': yup.string().required(),
  'string defined': yup.string().defined(),
  'string nullable': yup.string().nullable(),
  'string between': yup.string().min(2).max(6),
  'string with a default': yup.string().default('b'),
  'a word': yup.string().oneOf(['a', 'b']),
  'number between': yup.number().min(1).max(2),
  integer: yup.number().integer(),
  'id required': id().required(),
  'id as text': idText(),
  boolean: yup.boolean(),
  'words as a list': list(yup.string().oneOf(['a', 'b']).required(), 2),
  'at least one': yup.array().of(yup.number().required()).min(1),
  page: pageQuery().page,
};

describe('plain checks', () => {
  for (const [name, field] of Object.entries(fields)) {
    it(`let through what yup leaves as it is: ${name}`, () => {
      const schema = yup.object({ field });
      const check = compilePlainCheck(schema);
      expect(check, 'a check').to.not.equal(null);
      let good = 0;
      for (const value of values) {
        const given = value === undefined ? {} : { field: value };
        if (!check?.(given)) continue;
        good += 1;
        expect(schema.validateSync(given), `of ${JSON.stringify(given)}`).to.deep.equal(given);
      }
      expect(good).to.be.greaterThan(0);
    });
  }

  const others: Readonly<Record<string, yup.AnySchema>> = {
    'a transform': yup.string().trim(),
    'a rule of its own': yup.string().test('odd', 'must be odd', (text) => text?.length !== 2),
    'a form': yup.string().matches(/^a/),
    'a condition': yup.string().when('other', (_others, schema) => schema.required()),
    'words that it may not be': yup.string().notOneOf(['a']),
    'more than': yup.number().moreThan(1),
    'a date': yup.date(),
    anything: yup.mixed(),
    'one of these inside': yup.object({ inside: yup.array().of(yup.string().lowercase()) }),
    'a schema made late': yup.lazy(() => yup.string()) as unknown as yup.AnySchema,
  };

  for (const [name, field] of Object.entries(others)) {
    it(`are none for ${name}`, () => {
      expect(compilePlainCheck(yup.object({ field }))).to.equal(null);
    });
  }

  it('leave it to yup to put defaults in place of an absent object', () => {
    const schema = yup.object({ inside: yup.object({ word: yup.string().default('a') }) });
    expect(compilePlainCheck(schema)?.({})).to.equal(false);
  });
});
