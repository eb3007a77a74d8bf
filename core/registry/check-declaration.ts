import type { AnySchema } from 'yup';
import { type ModuleDeclaration, roles } from '../api/module.ts';
import type { Operation } from '../api/operation.ts';
import { isPlainObject } from '../api/schema.ts';
import { hostTables } from '../db/host-tables.ts';
import { jsonSchemaOf } from '../http/json-schema.ts';
import { contentFault, routeTwice } from './check-content-declaration.ts';
import { checksOfOperation } from './check-operation.ts';
import { productFault } from './check-product-declaration.ts';
import { shortcodesFault } from './check-shortcode-declaration.ts';
import { tableFault } from './check-table-declaration.ts';
import { additionFault, areaFault, jobFault, pageFault, scheduleFault } from './check-work-declaration.ts';
import {
  checkCodes,
  checkCondition,
  checkTellable,
  checkText,
  DeclarationError,
  isSchema,
  knownKeys,
  listOf,
  refuse,
} from './declaration-fault.ts';

const moduleId = /^[a-z][a-z0-9_]{1,40}$/;
const namespaceForm = /^[a-z][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*\/v\d+$/;
const capabilityName = /^[a-z][a-z0-9_]{1,60}$/;

const moduleKeys = new Set(
  (
    'id title description namespaces scopes defaultEnabled locked requires optional conditions capabilities ' +
    'settings settingRules postTypes taxonomies meta products tables migrations errors errorsElsewhere ' +
    'publicSegments pages areas shortcodes pageAdditions operations jobs schedules listeners services hooks'
  ).split(' '),
);
const hookKeys = new Set(['onEnabled', 'onDisabled', 'onSiteCreated', 'onSiteRemoved', 'start', 'stop']);
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
  for (const check of checksOf(given, expectedId, hostCapabilities)) check();
}

/** Everything that `checkDeclaration` would refuse, one after the other: a fault of one part hides none of another. */
export function declarationFaults(
  given: unknown,
  expectedId: string,
  hostCapabilities: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  for (const check of checksOf(given, expectedId, hostCapabilities)) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      faults.push(error.message);
    }
  }
  return [...new Set(faults)];
}

/** The checks of a declaration, each of a part of it. */
function* checksOf(
  declaration: unknown,
  expectedId: string,
  hostCapabilities: ReadonlySet<string>,
): Iterable<() => void> {
  yield () => {
    if (!isPlainObject(declaration)) refuse('default export', 'must be defineModule({ … }).');
  };
  if (!isPlainObject(declaration)) return;
  const given = declaration;
  for (const key of Object.keys(given)) yield () => knownKeys({ [key]: given[key] }, moduleKeys, '');
  yield () => checkNames(given, expectedId);
  yield () => checkLists(given);
  yield () => checkTables(given, hostCapabilities);
  yield () => {
    for (const product of listOf(given.products, 'products')) {
      const fault = productFault(product);
      if (fault) refuse(`products${fault[0]}`, fault[1]);
    }
  };
  yield () => {
    const content = contentFault(given) ?? shortcodesFault(given.shortcodes);
    if (content) refuse(...content);
  };
  for (const list of Object.keys(works) as (keyof typeof works)[]) {
    yield () => checkWorks(given, expectedId, list);
  }
  yield () => void listOf(given.operations, 'operations');
  const operations = Array.isArray(given.operations) ? (given.operations as readonly unknown[]) : [];
  for (const operation of operations) {
    yield* checksOfOperation(operation, given as unknown as ModuleDeclaration);
  }
  yield () => {
    const whole = operations.filter(
      (one): one is Operation => isPlainObject(one) && typeof one.path === 'string',
    );
    const ids = whole.map(({ id }) => id);
    const again = ids.find((id, at) => ids.indexOf(id) !== at);
    if (again !== undefined) refuse(`operations.${again}`, 'is declared twice; rename one.');
    const twice = routeTwice(whole);
    if (twice) refuse(...twice);
  };
}

function checkNames(given: Record<string, unknown>, expectedId: string): void {
  if (typeof given.id !== 'string' || !moduleId.test(given.id))
    refuse('id', `must match ${moduleId.source}.`);
  if (given.id !== expectedId) {
    refuse('id', `is "${given.id}", but package.json says "${expectedId}"; make them equal.`);
  }
  if (typeof given.title !== 'string' || given.title === '') refuse('title', 'must be a text.');
  checkText(given.description, 'description');
  if (listOf(given.requires, 'requires').includes(expectedId))
    refuse('requires', 'names the module itself; remove it.');
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

function checkTables(given: Record<string, unknown>, hostCapabilities: ReadonlySet<string>): void {
  for (const [name, row] of tableOf(given.capabilities, 'capabilities')) {
    const field = `capabilities.${name}`;
    if (!capabilityName.test(name)) refuse(field, `must match ${capabilityName.source}.`);
    if (hostCapabilities.has(name))
      refuse(field, "is a capability of the host; choose a name of the module's own.");
    checkText(row.title, `${field}.title`);
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
    checkText(row.title, `${field}.title`);
    checkTellable(row.default, `${field}.default`);
    checkTellable(jsonSchemaOf(row.schema as AnySchema), `${field}.schema`);
  }
  for (const [code, row] of tableOf(given.errors, 'errors')) {
    if (row.status !== null && !isErrorStatus(row.status)) {
      refuse(`errors.${code}.status`, 'must be a status from 400 to 599, or null.');
    }
    if (typeof row.message !== 'string') refuse(`errors.${code}.message`, 'must be a text.');
  }
  for (const [name, row] of tableOf(given.tables, 'tables')) {
    // The module that speaks for the host names a few of them, and is never removed.
    if (hostTables.has(name) && given.id !== 'host') {
      refuse(`tables.${name}`, 'is a table of the host; name one that the module makes.');
    }
    const fault = tableFault(name, row);
    if (fault) refuse(`tables.${name}${fault[0]}`, fault[1]);
  }
}

/** What comes in a list, each made by a function of the door and named after its module. */
const works = {
  jobs: { act: 'run', made: 'defineJob({ id, title, run })', fault: jobFault },
  schedules: { act: 'run', made: 'defineSchedule({ id, title, everySeconds, run })', fault: scheduleFault },
  pages: { act: 'show', made: 'definePage({ id, path, title, show })', fault: pageFault },
  areas: { act: 'find', made: 'defineArea({ id, title, folder, crossOrigin, find })', fault: areaFault },
  pageAdditions: { act: 'after', made: 'definePageAddition({ id, title, after })', fault: additionFault },
} as const;

function checkWorks(given: Record<string, unknown>, moduleId: string, list: keyof typeof works): void {
  const { act, made, fault } = works[list];
  for (const entry of listOf(given[list], list)) {
    if (!isPlainObject(entry) || typeof entry.id !== 'string' || typeof entry[act] !== 'function') {
      refuse(list, `every entry must be ${made}.`);
    }
    checkText(entry.title, `${list}.${entry.id}.title`);
    const found = fault(entry, moduleId);
    if (found) refuse(`${list}.${entry.id}${found[0]}`, found[1]);
    checkCodes(entry.errors, `${list}.${entry.id}`, given.errors);
  }
}

const isErrorStatus = (status: unknown): boolean =>
  Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
