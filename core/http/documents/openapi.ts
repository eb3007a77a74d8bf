import type { ErrorRow } from '../../api/errors.ts';
import { sessionCookie } from '../../auth/credentials.ts';
import { version } from '../../version.ts';
import { schemes, secretScheme } from './access-words.ts';
import type { ServedPath } from './api-index.ts';
import type { DescribedOperation } from './described-operation.ts';
import type { DescribedSite } from './described-site.ts';
import { type ErrorExample, errorExamples, errorSchema, exampleObject } from './error-responses.ts';

type Json = Record<string, unknown>;

const conventions = `JSON in and out. Times are RFC 3339 in UTC, ids are integers unless a field says otherwise.

- **Who is calling**: a session by its cookie and the nonce in \`X-Svc-Nonce\`, or an application password by HTTP Basic. A few operations ask for a secret of their module instead, as they say.
- **Errors** have one body, \`{code, message, data}\`.
- **Lists** take \`page\` and \`per_page\` and answer with \`X-Svc-Total\`, \`X-Svc-TotalPages\` and \`Link\`.
- **GET** carries an \`ETag\`; \`If-None-Match\` gets 304. \`_fields=a,b\` keeps only these top-level keys.
- **\`Idempotency-Key\`** on a POST of a signed-in caller: a repetition within 24 hours gets the first answer and does nothing.
- Operations with \`x-extension\` are not part of the published contract.`;

const securitySchemes = {
  [schemes.cookie]: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The session, as a login sets it.',
  },
  [schemes.nonce]: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Nonce',
    description: 'The nonce that a login and every answer to a session carry. Lives 12 to 24 hours.',
  },
  [schemes.basic]: {
    type: 'http',
    scheme: 'basic',
    description: 'Login and application password.',
  },
};

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Shared headers by name, with the operations that have them. */
const sharedHeaders: Readonly<
  Record<string, { has: (operation: DescribedOperation) => boolean; header: Json }>
> = {
  Total: { has: isPaged, header: { description: 'Items of the whole list.', schema: count } },
  TotalPages: { has: isPaged, header: { description: 'Pages of the whole list.', schema: count } },
  Link: { has: isPaged, header: { description: 'The next and the previous page.', schema: text } },
  Location: {
    has: ({ compiled }) => compiled.status === 201,
    header: { description: 'Absolute URL of what was made.', schema: { ...text, format: 'uri' } },
  },
};

function isPaged({ compiled }: DescribedOperation): boolean {
  return compiled.operation.paged === true;
}

/** Only what is referred to, so that the description of a site without uploads does not speak of them. */
function components(operations: readonly DescribedOperation[], rows: ReadonlyMap<string, ErrorRow>): Json {
  const examples = new Map<string, ErrorExample>();
  for (const operation of operations) {
    for (const example of errorExamples(operation, rows)) examples.set(example.name, example);
  }
  const headers = Object.entries(sharedHeaders).filter(([, { has }]) => operations.some(has));
  return {
    securitySchemes: { ...securitySchemes, ...secretSchemes(operations) },
    schemas: { Error: errorSchema },
    headers: Object.fromEntries(headers.map(([name, { header }]) => [name, header])),
    examples: Object.fromEntries(
      [...examples].sort().map(([name, example]) => [name, exampleObject(example)]),
    ),
  };
}

/** Those of modules, by the names of their secrets. */
function secretSchemes(operations: readonly DescribedOperation[]): Json {
  const secrets = operations.flatMap(({ compiled }) =>
    'secret' in compiled.operation.access ? [compiled.operation.access.secret] : [],
  );
  return Object.fromEntries(secrets.map((secret) => [secret.id, secretScheme(secret)]));
}

function tags(operations: readonly DescribedOperation[]): Json[] {
  const modules = new Map(operations.map(({ compiled }) => [compiled.module.id, compiled.module]));
  return [...modules.values()].map(({ id, title, description }) => ({
    name: id,
    description: description || title,
    'x-displayName': title,
  }));
}

/** OpenAPI 3.1 of exactly what the site serves now. */
export function openapi(
  site: DescribedSite,
  served: readonly ServedPath[],
  rows: ReadonlyMap<string, ErrorRow>,
  operationObject: (operation: DescribedOperation) => Json,
): object {
  const operations = served.flatMap((path) => path.operations);
  return {
    openapi: '3.1.1',
    info: {
      title: site.title,
      summary: `The API of ${site.url}`,
      description: conventions,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Without a host: the description is right under every name of the site.
    servers: [{ url: site.apiPath, description: site.title }],
    tags: tags(operations),
    paths: Object.fromEntries(
      served.map((path) => [
        `/${path.path}`,
        Object.fromEntries(
          path.operations.map((operation) => [
            operation.compiled.operation.method.toLowerCase(),
            operationObject(operation),
          ]),
        ),
      ]),
    ),
    components: components(operations, rows),
  };
}
