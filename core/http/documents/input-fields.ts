import type { AnySchema } from 'yup';
import type { Operation } from '../../api/operation.ts';
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts';

/** One named value that an operation reads. */
export interface InputField {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The top-level fields of an input schema, in the order of their declaration. */
function fieldsOf(schema: AnySchema | undefined): InputField[] {
  if (!schema) return [];
  const { properties, required } = jsonSchemaOf(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, field]) => ({
    name,
    required: required?.includes(name) ?? false,
    schema: field,
  }));
}

/** Names of the parameters in a path, in order. */
export const namesInPath = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Path parameters in the order of the path, declared or not. */
export function pathFields({ path, input }: Operation): InputField[] {
  const declared = new Map(fieldsOf(input?.params).map((field) => [field.name, field.schema]));
  return namesInPath(path).map((name) => ({
    name,
    required: true,
    schema: declared.get(name) ?? { type: 'string' },
  }));
}

const chosenSite: InputField = {
  name: 'blog_id',
  required: false,
  schema: {
    type: 'integer',
    minimum: 1,
    description: 'Another site of the network; absent: the site of the address.',
  },
};

/** The query's fields, with the one that the host reads itself. */
export function queryFields({ input, site }: Operation): InputField[] {
  const declared = fieldsOf(input?.query);
  const known = declared.some(({ name }) => name === chosenSite.name);
  return site === 'selectable' && !known ? [...declared, chosenSite] : declared;
}

/** The body's fields; of an upload also the file. */
export function bodyFields({ input, multipart }: Operation): InputField[] {
  const declared = fieldsOf(input?.body);
  if (!multipart) return declared;
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return [{ name: multipart.file, required: !multipart.orJson, schema: file }, ...declared];
}
