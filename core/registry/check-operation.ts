import type { ModuleDeclaration } from '../api/module.ts';
import { isPlainObject } from '../api/schema.ts';
import type { SecretDeclaration } from '../api/secret.ts';
import { accessFault } from './check-access-declaration.ts';
import {
  checkCodes,
  checkCondition,
  checkTellable,
  checkText,
  isSchema,
  knownKeys,
  refuse,
} from './declaration-fault.ts';

const operationId = /^[a-z][a-z0-9_]{1,40}(\.[a-z0-9_-]+)+$/;
const pathForm = /^[A-Za-z0-9._{}/-]+$/;
const operationKeys = new Set(
  (
    'id method path summary description access when site blogCodes input multipart maxBodyBytes streams success output errors ' +
    'badInput bracketed paged contract timeoutMs example crossOrigin handle'
  ).split(' '),
);
const mostBodyBytes = 64 * 1024 * 1024;
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The checks of one operation; where its id is unknown nothing else can be named. */
export function* checksOfOperation(given: unknown, module: ModuleDeclaration): Iterable<() => void> {
  yield () => {
    if (!isPlainObject(given)) refuse('operations', 'every entry must be defineOperation({ … }).');
  };
  if (!isPlainObject(given)) return;
  const operation = given;
  const name = typeof operation.id === 'string' ? `operations.${operation.id}` : 'operations';
  yield () => {
    const { id } = operation;
    if (typeof id !== 'string' || !operationId.test(id) || !id.startsWith(`${module.id}.`)) {
      refuse(`${name}.id`, `must look like "${module.id}.verb-noun".`);
    }
  };
  for (const key of Object.keys(operation)) {
    yield () => knownKeys({ [key]: operation[key] }, operationKeys, name);
  }
  yield () => {
    if (!methods.has(String(operation.method)))
      refuse(`${name}.method`, `must be one of ${[...methods].join(', ')}.`);
  };
  yield () => checkPath(operation.path, name, module);
  yield () => checkAccess(operation.access, name, module);
  yield () => {
    if (typeof operation.handle !== 'function') refuse(`${name}.handle`, 'must be a function.');
  };
  yield () => checkShape(operation, name, module);
}

function checkPath(path: unknown, name: string, module: ModuleDeclaration): void {
  if (typeof path !== 'string' || !pathForm.test(path)) {
    refuse(`${name}.path`, 'must be the whole route without leading slash, with {name} for parameters.');
  }
  checkSegments(path, name);
  if (!(module.namespaces ?? []).some((namespace) => path.startsWith(`${namespace}/`))) {
    refuse(
      `${name}.path`,
      `"${path}" lies outside the module's namespaces; add the namespace or move the path.`,
    );
  }
}

/** A path that no request has, because every client and the host tidy it up first, would never be answered. */
function checkSegments(path: string, name: string): void {
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    refuse(
      `${name}.path`,
      `"${path}" has an empty segment, "." or ".."; write the route as clients ask for it.`,
    );
  }
  const names: readonly string[] = path.match(/\{\w+\}/g) ?? [];
  const again = names.find((one, at) => names.indexOf(one) !== at);
  if (again) refuse(`${name}.path`, `has ${again} twice; rename one.`);
}

function checkAccess(access: unknown, name: string, module: ModuleDeclaration): void {
  const fault = accessFault(access, module.id);
  if (fault) refuse(`${name}.access${fault[0]}`, fault[1]);
  const { secret } = access as { readonly secret?: SecretDeclaration };
  if (!secret) return;
  checkCodes([...Object.values(secret.refusals), ...(secret.errors ?? [])], `${name}.access`, module.errors);
}

const isContentType = (type: unknown): boolean =>
  typeof type === 'string' && /^[a-z]+\/[a-z0-9.+-]+$/.test(type);

const isBodyLimit = (bytes: unknown): boolean =>
  Number.isInteger(bytes) && Number(bytes) >= 1 && Number(bytes) <= mostBodyBytes;

function checkBracketed({ bracketed, multipart }: Record<string, unknown>, name: string): void {
  if (bracketed !== undefined && typeof bracketed !== 'boolean') {
    refuse(`${name}.bracketed`, 'must be true or false.');
  }
  if (bracketed && multipart) {
    refuse(`${name}.bracketed`, 'is for forms without files; a multipart form has plain names.');
  }
}

function checkShape(operation: Record<string, unknown>, name: string, module: ModuleDeclaration): void {
  const input = operation.input;
  if (input !== undefined) {
    if (!isPlainObject(input)) refuse(`${name}.input`, 'must be an object.');
    for (const [part, schema] of Object.entries(input)) {
      if (!['params', 'query', 'body'].includes(part))
        refuse(`${name}.input.${part}`, 'is no part of a request.');
      if (schema !== undefined && !isSchema(schema))
        refuse(`${name}.input.${part}`, 'must be a yup object schema.');
    }
  }
  if (operation.output !== undefined && !isSchema(operation.output)) {
    refuse(`${name}.output`, 'must be a yup schema.');
  }
  checkBracketed(operation, name);
  if (operation.streams !== undefined && !isContentType(operation.streams)) {
    refuse(`${name}.streams`, 'must be a content type without parameters, as "text/csv".');
  }
  if (operation.maxBodyBytes !== undefined && !isBodyLimit(operation.maxBodyBytes)) {
    refuse(`${name}.maxBodyBytes`, 'must be an integer from 1 to 67,108,864.');
  }
  const { success } = operation;
  if (
    success !== undefined &&
    !(Number.isInteger(success) && Number(success) >= 200 && Number(success) <= 299)
  ) {
    refuse(`${name}.success`, 'must be a status from 200 to 299.');
  }
  checkText(operation.summary, `${name}.summary`);
  checkText(operation.description, `${name}.description`);
  checkTellable(operation.example, `${name}.example`);
  const limit = operation.timeoutMs;
  if (limit !== undefined && !(typeof limit === 'number' && limit >= 1 && limit <= 300_000)) {
    refuse(`${name}.timeoutMs`, 'must be from 1 to 300,000.');
  }
  if (operation.crossOrigin !== undefined && typeof operation.crossOrigin !== 'function') {
    refuse(`${name}.crossOrigin`, 'must be a function.');
  }
  if (operation.when !== undefined) checkCondition(operation.when, `${name}.when`);
  if (operation.site !== undefined && operation.site !== 'current' && operation.site !== 'selectable') {
    refuse(`${name}.site`, 'must be "current" or "selectable".');
  }
  checkBlogCodes(operation, name, module);
  checkCodes(operation.errors, name, module.errors);
  if (operation.badInput !== undefined) checkCodes([operation.badInput], name, module.errors);
}

function checkBlogCodes(
  { blogCodes, site }: Record<string, unknown>,
  name: string,
  module: ModuleDeclaration,
): void {
  if (blogCodes === undefined) return;
  if (!isPlainObject(blogCodes) || site !== 'selectable') {
    refuse(`${name}.blogCodes`, 'must be { invalid, unknown }, of an operation whose site is "selectable".');
  }
  knownKeys(blogCodes, new Set(['invalid', 'unknown']), `${name}.blogCodes`);
  checkCodes([blogCodes.invalid, blogCodes.unknown], `${name}.blogCodes`, module.errors);
}
