import type { ModuleDeclaration } from '../api/module.ts';
import type { Operation } from '../api/operation.ts';
import type { SecretDeclaration } from '../api/secret.ts';
import { DeclarationError } from '../registry/declaration-fault.ts';
import { type ModuleSpec, specOf } from '../registry/spec.ts';
import { type SchemaWords, writeSchema } from './schema-words.ts';

/** A secret without its code. */
export type SecretWords = Omit<SecretDeclaration, 'recognise'>;

/** An operation without its code. */
export type OperationWords = Omit<Operation, 'input' | 'output' | 'handle' | 'access'> & {
  readonly access:
    | Exclude<Operation['access'], { check: unknown } | { secret: unknown }>
    | { readonly checked: string }
    | { readonly secret: SecretWords; readonly can?: string };
  readonly input: Readonly<Partial<Record<'params' | 'query' | 'body', SchemaWords>>>;
  readonly output: SchemaWords | null;
};

/** The parts of a declaration that are data already. */
const dataKeys = [
  'id',
  'title',
  'description',
  'namespaces',
  'scopes',
  'defaultEnabled',
  'locked',
  'requires',
  'optional',
  'conditions',
  'capabilities',
  'postTypes',
  'taxonomies',
  'tables',
  'errors',
  'errorsElsewhere',
  'publicSegments',
  'products',
] as const satisfies readonly (keyof ModuleSpec)[];

/** A declaration as data: what the host's process knows of a module whose code it never runs. */
export interface ModuleWords {
  readonly data: Pick<ModuleSpec, (typeof dataKeys)[number]>;
  readonly settings: Readonly<
    Record<string, Omit<ModuleSpec['settings'][string], 'schema'> & { schema: SchemaWords }>
  >;
  readonly meta: readonly (Omit<ModuleSpec['meta'][number], 'schema'> & { readonly schema: SchemaWords })[];
  readonly operations: readonly OperationWords[];
  readonly migrations: readonly string[];
  readonly jobs: readonly (Omit<ModuleSpec['jobs'][number], 'run' | 'undo' | 'withdraw'> & {
    readonly undoes: boolean;
    readonly withdraws: boolean;
  })[];
  readonly schedules: readonly Omit<ModuleSpec['schedules'][number], 'run'>[];
  readonly pages: readonly (Omit<ModuleSpec['pages'][number], 'show' | 'submit'> & {
    readonly submits: boolean;
  })[];
  readonly areas: readonly Omit<ModuleSpec['areas'][number], 'find'>[];
  readonly shortcodes: readonly (Omit<ModuleSpec['shortcodes'][number], 'render' | 'attributes'> & {
    readonly attributes: SchemaWords | null;
  })[];
  readonly pageAdditions: readonly Omit<ModuleSpec['pageAdditions'][number], 'after'>[];
  readonly listeners: readonly ModuleSpec['listeners'][number]['notice'][];
  readonly hooks: readonly string[];
}

/** Throws for what cannot be done from another process. */
function refuse(declaration: ModuleDeclaration): void {
  const because = 'is asked in the middle of the work of the host, which waits for no worker; remove it.';
  if ((declaration.settingRules ?? []).length > 0) throw new DeclarationError(`settingRules: ${because}`);
  for (const { key, normalize } of declaration.meta ?? []) {
    if (normalize) throw new DeclarationError(`meta.${key}.normalize: ${because}`);
  }
  for (const { id, multipart } of declaration.operations ?? []) {
    if (typeof multipart?.maxBytes !== 'function') continue;
    throw new DeclarationError(`operations.${id}.multipart.maxBytes: ${because}`);
  }
}

/** Said in the worker, of a declaration that was checked there. */
export function writeModule(declaration: ModuleDeclaration): ModuleWords {
  refuse(declaration);
  const spec = specOf(declaration);
  return {
    data: Object.fromEntries(dataKeys.map((key) => [key, spec[key]])) as unknown as ModuleWords['data'],
    settings: Object.fromEntries(
      Object.entries(spec.settings).map(([name, setting]) => [
        name,
        { ...setting, schema: writeSchema(setting.schema) },
      ]),
    ),
    meta: spec.meta.map((meta) => ({ ...meta, schema: writeSchema(meta.schema) })),
    operations: spec.operations.map(writeOperation),
    migrations: spec.migrations.map(({ id }) => id),
    jobs: spec.jobs.map(({ run: _run, undo, withdraw, ...job }) => ({
      ...job,
      undoes: undo !== undefined,
      withdraws: withdraw !== undefined,
    })),
    schedules: spec.schedules.map(({ run: _run, ...schedule }) => schedule),
    pages: spec.pages.map(({ show: _show, submit, ...page }) => ({ ...page, submits: submit !== undefined })),
    areas: spec.areas.map(({ find: _find, ...area }) => area),
    shortcodes: spec.shortcodes.map(({ render: _render, attributes, ...shortcode }) => ({
      ...shortcode,
      attributes: attributes ? writeSchema(attributes) : null,
    })),
    pageAdditions: spec.pageAdditions.map(({ after: _after, ...addition }) => addition),
    listeners: spec.listeners.map(({ notice }) => notice),
    hooks: Object.keys(spec.hooks),
  };
}

function writeOperation({ input, output, handle: _handle, access, ...data }: Operation): OperationWords {
  const parts = Object.entries(input ?? {}).filter(([, schema]) => schema !== undefined);
  return {
    ...data,
    access: writeAccess(access),
    input: Object.fromEntries(parts.map(([part, schema]) => [part, writeSchema(schema)])),
    output: output ? writeSchema(output) : null,
  };
}

function writeAccess(access: Operation['access']): OperationWords['access'] {
  if ('check' in access) return { checked: access.because };
  if (!('secret' in access)) return access;
  const { recognise: _recognise, ...secret } = access.secret;
  return { ...access, secret };
}
