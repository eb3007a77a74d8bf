import type { Condition } from '../api/conditions.ts';
import { hostErrors } from '../api/host-errors.ts';
import { type ModuleDeclaration, roles } from '../api/module.ts';
import type { Operation } from '../api/operation.ts';
import { isPlainObject } from '../api/schema.ts';
import { productFault } from './check-product-declaration.ts';
import { tableFault } from './check-table-declaration.ts';
import { jobFault, pageFault, scheduleFault } from './check-work-declaration.ts';

/** What is wrong with a declaration: the field and the mend, for its author. */
export class DeclarationError extends Error {}

const moduleId = /^[a-z][a-z0-9_]{1,40}$/;
const operationId = /^[a-z][a-z0-9_]{1,40}(\.[a-z0-9_-]+)+$/;
const namespaceForm = /^[a-z][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*\/v\d+$/;
const pathForm = /^[A-Za-z0-9._{}/-]+$/;
const capabilityName = /^[a-z][a-z0-9_]{1,60}$/;

const moduleKeys = new Set(
  (
    'id title description namespaces scopes defaultEnabled locked requires optional conditions capabilities ' +
    'settings settingRules postTypes taxonomies meta products tables migrations errors errorsElsewhere ' +
    'publicSegments pages operations jobs schedules listeners services hooks'
  ).split(' '),
);
const operationKeys = new Set(
  (
    'id method path summary description access when site input multipart success output errors paged contract ' +
    'timeoutMs example handle'
  ).split(' '),
);
const hookKeys = new Set(['onEnabled', 'onDisabled', 'onSiteCreated', 'onSiteRemoved', 'start', 'stop']);
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const conditionKinds = new Set([
  'installed',
  'moduleOn',
  'settingIs',
  'networkCommitted',
  'commandFound',
  'all',
  'any',
  'not',
]);

function refuse(field: string, mend: string): never {
  throw new DeclarationError(`${field}: ${mend}`);
}

function knownKeys(value: object, known: ReadonlySet<string>, field: string): void {
  for (const key of Object.keys(value)) {
    if (!known.has(key)) refuse(field ? `${field}.${key}` : key, 'is no key of a declaration; remove it.');
  }
}

function listOf(value: unknown, field: string): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : refuse(field, 'must be an array.');
}

function tableOf(value: unknown, field: string): [string, Record<string, unknown>][] {
  if (value === undefined) return [];
  if (!isPlainObject(value)) refuse(field, 'must be an object.');
  return Object.entries(value).map(([key, row]) =>
    isPlainObject(row) ? [key, row] : refuse(`${field}.${key}`, 'must be an object.'),
  );
}

/**
 * Checks everything of a declaration that can be checked without the other modules.
 * @param hostCapabilities names that a package may not declare again
 * @throws DeclarationError naming the field and the mend
 */
export function checkDeclaration(
  given: unknown,
  expectedId: string,
  hostCapabilities: ReadonlySet<string>,
): asserts given is ModuleDeclaration {
  if (!isPlainObject(given)) refuse('default export', 'must be defineModule({ … }).');
  knownKeys(given, moduleKeys, '');
  if (typeof given.id !== 'string' || !moduleId.test(given.id))
    refuse('id', `must match ${moduleId.source}.`);
  if (given.id !== expectedId) {
    refuse('id', `is "${given.id}", but package.json says "${expectedId}"; make them equal.`);
  }
  if (typeof given.title !== 'string' || given.title === '') refuse('title', 'must be a text.');
  checkLists(given);
  checkTables(given, hostCapabilities);
  for (const product of listOf(given.products, 'products')) {
    const fault = productFault(product);
    if (fault) refuse(`products${fault[0]}`, fault[1]);
  }
  checkWorks(given, expectedId);
  const ids = new Set<string>();
  for (const operation of listOf(given.operations, 'operations')) {
    checkOperation(operation, given as unknown as ModuleDeclaration);
    const { id } = operation as Operation;
    if (ids.has(id)) refuse(`operations.${id}`, 'is declared twice; rename one.');
    ids.add(id);
  }
}

function checkLists(given: Record<string, unknown>): void {
  for (const name of ['requires', 'optional', 'publicSegments']) {
    for (const entry of listOf(given[name], name)) {
      if (typeof entry !== 'string') refuse(name, 'must be an array of texts.');
    }
  }
  for (const namespace of listOf(given.namespaces, 'namespaces')) {
    if (typeof namespace !== 'string' || !namespaceForm.test(namespace)) {
      refuse('namespaces', `"${String(namespace)}" must look like "vendor/name/v1".`);
    }
  }
  for (const scope of listOf(given.scopes, 'scopes')) {
    if (scope !== 'network' && scope !== 'site') refuse('scopes', 'may hold "network" and "site".');
  }
  for (const name of ['defaultEnabled', 'locked']) {
    if (given[name] !== undefined && typeof given[name] !== 'boolean') refuse(name, 'must be true or false.');
  }
  for (const condition of listOf(given.conditions, 'conditions')) checkNamedCondition(condition);
  for (const rule of listOf(given.settingRules, 'settingRules')) checkSettingRule(rule, given.settings);
  for (const migration of listOf(given.migrations, 'migrations')) {
    if (!isPlainObject(migration) || typeof migration.id !== 'string' || typeof migration.up !== 'function') {
      refuse('migrations', 'every entry must be defineMigration({ id, up }).');
    }
  }
  if (given.hooks !== undefined) {
    if (!isPlainObject(given.hooks)) refuse('hooks', 'must be an object.');
    knownKeys(given.hooks, hookKeys, 'hooks');
  }
  if (given.services !== undefined && typeof given.services !== 'function') {
    refuse('services', 'must be a function (provide) => [ … ].');
  }
}

function checkSettingRule(rule: unknown, settings: unknown): void {
  const names = isPlainObject(rule) ? listOf(rule.of, 'settingRules.of') : [];
  if (!isPlainObject(rule) || typeof rule.problem !== 'function' || names.length === 0) {
    refuse('settingRules', 'every entry must be { of: [ … ], problem: (values) => … }.');
  }
  for (const name of names) {
    if (!isPlainObject(settings) || !Object.hasOwn(settings, String(name))) {
      refuse('settingRules.of', `"${String(name)}" is no setting of the module.`);
    }
  }
}

function checkNamedCondition(condition: unknown): void {
  if (!isPlainObject(condition) || typeof condition.id !== 'string' || typeof condition.title !== 'string') {
    refuse('conditions', 'every entry must be { id, title, when }.');
  }
  checkCondition(condition.when, `conditions.${condition.id}.when`);
}

function checkCondition(when: unknown, field: string): asserts when is Condition {
  if (!isPlainObject(when) || !conditionKinds.has(String(when.kind))) {
    refuse(
      field,
      'must be made by installed, moduleOn, settingIs, networkCommitted, commandFound, all, any or not.',
    );
  }
}

function checkTables(given: Record<string, unknown>, hostCapabilities: ReadonlySet<string>): void {
  for (const [name, row] of tableOf(given.capabilities, 'capabilities')) {
    const field = `capabilities.${name}`;
    if (!capabilityName.test(name)) refuse(field, `must match ${capabilityName.source}.`);
    if (hostCapabilities.has(name))
      refuse(field, "is a capability of the host; choose a name of the module's own.");
    const holders = listOf(row.roles, `${field}.roles`);
    if (!holders.every((role) => (roles as readonly unknown[]).includes(role))) {
      refuse(`${field}.roles`, `may hold ${roles.join(', ')}.`);
    }
  }
  for (const [name, row] of tableOf(given.settings, 'settings')) {
    const field = `settings.${name}`;
    if (!isSchema(row.schema)) refuse(`${field}.schema`, 'must be a yup schema.');
    if (row.scope !== 'site' && row.scope !== 'network')
      refuse(`${field}.scope`, 'must be "site" or "network".');
    if (!('default' in row))
      refuse(`${field}.default`, 'is missing; give the value that holds when none is set.');
  }
  for (const [code, row] of tableOf(given.errors, 'errors')) {
    if (row.status !== null && !isErrorStatus(row.status)) {
      refuse(`errors.${code}.status`, 'must be a status from 400 to 599, or null.');
    }
    if (typeof row.message !== 'string') refuse(`errors.${code}.message`, 'must be a text.');
  }
  for (const [name, row] of tableOf(given.tables, 'tables')) {
    const fault = tableFault(name, row);
    if (fault) refuse(`tables.${name}${fault[0]}`, fault[1]);
  }
}

/** What comes in a list, each made by a function of the door and named after its module. */
const works = {
  jobs: { act: 'run', made: 'defineJob({ id, title, run })', fault: jobFault },
  schedules: { act: 'run', made: 'defineSchedule({ id, title, everySeconds, run })', fault: scheduleFault },
  pages: { act: 'show', made: 'definePage({ id, path, title, show })', fault: pageFault },
} as const;

function checkWorks(given: Record<string, unknown>, moduleId: string): void {
  for (const [list, { act, made, fault }] of Object.entries(works)) {
    for (const entry of listOf(given[list], list)) {
      if (!isPlainObject(entry) || typeof entry.id !== 'string' || typeof entry[act] !== 'function') {
        refuse(list, `every entry must be ${made}.`);
      }
      const found = fault(entry, moduleId);
      if (found) refuse(`${list}.${entry.id}${found[0]}`, found[1]);
      checkCodes(entry.errors, `${list}.${entry.id}`, given.errors);
    }
  }
}

const isErrorStatus = (status: unknown): boolean =>
  Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '__isYupSchema__' in value;

function checkOperation(operation: unknown, module: ModuleDeclaration): asserts operation is Operation {
  if (!isPlainObject(operation)) refuse('operations', 'every entry must be defineOperation({ … }).');
  const name = typeof operation.id === 'string' ? `operations.${operation.id}` : 'operations';
  if (typeof operation.id !== 'string' || !operationId.test(operation.id)) {
    refuse(`${name}.id`, `must look like "${module.id}.verb-noun".`);
  }
  knownKeys(operation, operationKeys, name);
  if (!methods.has(String(operation.method)))
    refuse(`${name}.method`, `must be one of ${[...methods].join(', ')}.`);
  checkPath(operation.path, name, module);
  checkAccess(operation.access, `${name}.access`);
  if (typeof operation.handle !== 'function') refuse(`${name}.handle`, 'must be a function.');
  checkShape(operation, name, module);
}

function checkPath(path: unknown, name: string, module: ModuleDeclaration): void {
  if (typeof path !== 'string' || !pathForm.test(path)) {
    refuse(`${name}.path`, 'must be the whole route without leading slash, with {name} for parameters.');
  }
  if (!(module.namespaces ?? []).some((namespace) => path.startsWith(`${namespace}/`))) {
    refuse(
      `${name}.path`,
      `"${path}" lies outside the module's namespaces; add the namespace or move the path.`,
    );
  }
}

function checkAccess(access: unknown, field: string): void {
  if (!isPlainObject(access)) refuse(field, 'is missing; say who may use the operation.');
  const form = ['public', 'signedIn', 'can', 'canAny', 'canAll', 'check'].filter((key) => key in access);
  if (form.length !== 1)
    refuse(field, 'must have exactly one of public, signedIn, can, canAny, canAll, check.');
  if ('public' in access && typeof access.public !== 'string') refuse(`${field}.public`, 'must say why.');
  if ('check' in access && typeof access.because !== 'string')
    refuse(`${field}.because`, 'must say who passes.');
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
  const limit = operation.timeoutMs;
  if (limit !== undefined && !(typeof limit === 'number' && limit >= 1 && limit <= 300_000)) {
    refuse(`${name}.timeoutMs`, 'must be from 1 to 300,000.');
  }
  if (operation.when !== undefined) checkCondition(operation.when, `${name}.when`);
  if (operation.site !== undefined && operation.site !== 'current' && operation.site !== 'selectable') {
    refuse(`${name}.site`, 'must be "current" or "selectable".');
  }
  checkCodes(operation.errors, name, module.errors);
}

/** Codes that an operation or a job names stand in the table of its module or in that of the host. */
function checkCodes(codes: unknown, name: string, table: unknown): void {
  for (const code of listOf(codes, `${name}.errors`)) {
    if (typeof code !== 'string') refuse(`${name}.errors`, 'must be an array of codes.');
    if (!Object.hasOwn(isPlainObject(table) ? table : {}, code) && !Object.hasOwn(hostErrors, code)) {
      refuse(`${name}.errors`, `"${code}" is not in the module's error table; add a row for it.`);
    }
  }
}
