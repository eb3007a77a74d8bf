import { expect } from 'chai';
import { asSent, id, idText, judged, list, record, time, word, yup } from '../../core/api/schema.ts';
import { jsonSchemaOf, outputSchemaOf } from '../../core/http/json-schema.ts';

describe('JSON Schema of a yup schema', () => {
  it('says the limits, words and forms that yup checks', () => {
    const schema = yup.object({
      title: yup.string().required().max(200),
      code: yup
        .string()
        .matches(/^[a-z]+$/)
        .length(3),
      mail: yup.string().email(),
      kind: word('a', 'b').required(),
      count: yup.number().integer().min(1).max(9).default(2),
      ratio: yup.number().moreThan(0).lessThan(1),
      ids: list(id().required(), 100).required(),
    });
    expect(jsonSchemaOf(schema)).to.deep.equal({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 200 },
        code: { type: 'string', minLength: 3, maxLength: 3, pattern: '^[a-z]+$' },
        mail: { type: 'string', format: 'email' },
        kind: { type: 'string', minLength: 1, enum: ['a', 'b'] },
        count: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
        ratio: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        ids: {
          type: 'array',
          items: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
          maxItems: 100,
        },
      },
      required: ['title', 'kind', 'ids'],
    });
  });

  it('tells clients what the operation itself will ask for', () => {
    const schema = yup.object({
      login: judged({ type: 'string' }, { required: true }),
      note: judged({ type: 'string' }, { required: false }),
      place: asSent({ type: 'string' }),
    });
    expect(jsonSchemaOf(schema)).to.deep.equal({
      type: 'object',
      properties: {
        login: { type: 'string' },
        note: { type: 'string' },
        place: { type: ['string', 'null'] },
      },
      required: ['login'],
    });
  });

  it('lets null in where yup does', () => {
    const schema = yup.object({
      at: time().nullable(),
      kind: word('a').nullable(),
      free: record().nullable(),
      either: yup
        .mixed()
        .nullable()
        .meta({ jsonSchema: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
    });
    expect(jsonSchemaOf(schema).properties).to.deep.equal({
      at: { type: ['string', 'null'], format: 'date-time' },
      kind: { type: ['string', 'null'], enum: ['a', null] },
      free: { type: ['object', 'null'], additionalProperties: {} },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    });
  });

  it('asks of an answer what its presenter does: a text may be empty, a default fills nothing in', () => {
    const schema = yup.object({
      title: yup.string().required(),
      order: yup.number().integer().required().default(0),
    });
    expect(outputSchemaOf(schema)).to.deep.equal({
      type: 'object',
      properties: { title: { type: 'string' }, order: { type: 'integer', default: 0 } },
      required: ['title', 'order'],
    });
    expect(jsonSchemaOf(schema).required).to.deep.equal(['title']);
  });

  it('describes an id in a path as the integer that it must be', () => {
    expect(jsonSchemaOf(yup.object({ id: idText() })).properties).to.deep.equal({
      id: { type: 'integer', minimum: 1 },
    });
  });
});
