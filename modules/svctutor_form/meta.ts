import { type MetaDeclaration, yup } from '@lyceum/core';
import { blank, formType, hashes, jsonParts, metaKey, runners } from './form/form.ts';
import { jsonText, longestPart } from './form/form-limits.ts';

const onForms = { on: 'post', of: [formType] } as const;

const hash = yup.string().matches(/^([0-9a-f]{64})?$/, 'must be 64 hex digits, or empty');

const lowerCase = (given: unknown): unknown => (typeof given === 'string' ? given.toLowerCase() : given);

/** What a form keeps beside its definition, which is its content. Texts come as they are: JSON or not. */
export const meta: readonly MetaDeclaration[] = [
  { ...onForms, key: metaKey('runner'), schema: yup.string().oneOf(runners), default: blank.runner },
  ...jsonParts.map(
    (part): MetaDeclaration => ({
      ...onForms,
      key: metaKey(part),
      schema: jsonText(longestPart[part]),
      default: blank.json,
    }),
  ),
  ...hashes.map(
    (name): MetaDeclaration => ({
      ...onForms,
      key: metaKey(name),
      schema: hash,
      normalize: lowerCase,
      default: blank.hash,
    }),
  ),
];
