import Router, { type RouterInstance } from '@koa/router';
import { LRUCache } from 'lru-cache';
import type { Operation } from '../api/operation.ts';
import { messageOf } from '../isolation/legible.ts';
import { DeclarationError } from '../registry/declaration-fault.ts';
import { type InstalledModules, type ModuleSpec, methodsOf, specs } from '../registry/spec.ts';
import { compileInput, type InputReader } from './input.ts';
import { jsonSchemaOf, outputSchemaOf } from './json-schema.ts';
import { compilePresenter, type Presenter } from './presenter.ts';

/** An operation ready to be dispatched: everything that can be computed once is. */
export interface CompiledOperation {
  readonly operation: Operation;
  readonly module: ModuleSpec;
  readonly methods: readonly string[];
  readonly params: InputReader | null;
  readonly query: InputReader | null;
  readonly body: InputReader | null;
  /** The body may choose the site, by a field `blog_id`. */
  readonly bodyChooses: boolean;
  /** For JSON in place of a form; null where only one of them is taken. */
  readonly jsonBody: InputReader | null;
  /** For a form with bracketed names in place of JSON; null where none is taken. */
  readonly formBody: InputReader | null;
  readonly present: Presenter | null;
  readonly status: number;
  readonly timeoutMs: number;
}

/** All operations behind one path. */
export interface Route {
  /** As declared: `svc/host/v1/users/{id}`. */
  readonly path: string;
  readonly namespace: string;
  readonly operations: readonly CompiledOperation[];
  /** Whether `blog_id` may name another site for one of them. */
  readonly selectable: boolean;
}

export interface RouteMatch {
  readonly module: ModuleSpec;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of one namespace and the module that owns it. */
export interface Namespace {
  readonly module: ModuleSpec;
  readonly router: RouterInstance;
  readonly routes: ReadonlyMap<string, Route>;
}

const standardTimeoutMs = 30_000;

/** Namespaces of each declaration: what did not change is not compiled again when another module does. */
const compiled = new WeakMap<ModuleSpec, ReadonlyMap<string, Namespace>>();

/** Compiles every operation of a module, once. @throws when a path or a schema cannot be compiled */
export function namespacesOf(spec: ModuleSpec): ReadonlyMap<string, Namespace> {
  const known = compiled.get(spec);
  if (known) return known;
  const made = new Map(spec.namespaces.map((name) => [name, compileNamespace(spec, name)]));
  compiled.set(spec, made);
  return made;
}

/** Paths whose match is kept, and how long such a path may be: together a few MB at most. */
const matchesKept = 5_000;
const longestKept = 200;

/** The routes of every module that loads, compiled once; whether a module is on is asked per request. */
export class RouteTable {
  readonly #namespaces = new Map<string, Namespace>();
  readonly #depths: readonly number[];
  readonly #matches = new LRUCache<string, RouteMatch>({ max: matchesKept });
  readonly operations: readonly CompiledOperation[];

  constructor(modules: InstalledModules) {
    for (const spec of specs(modules)) {
      for (const [name, compiled] of namespacesOf(spec)) this.#namespaces.set(name, compiled);
    }
    this.#depths = [...new Set([...this.#namespaces.keys()].map((name) => name.split('/').length))].sort();
    this.operations = [...this.routes()].flatMap((route) => route.operations);
  }

  *routes(): Iterable<Route> {
    for (const { routes } of this.#namespaces.values()) yield* routes.values();
  }

  /** The one route that matches a path: declared words win over parameters. */
  match(path: string): RouteMatch | null {
    const kept = this.#matches.get(path);
    if (kept) return kept;
    const found = this.#find(path);
    if (found && path.length <= longestKept) this.#matches.set(path, found);
    return found;
  }

  #find(path: string): RouteMatch | null {
    const namespace = this.#namespaceOf(path);
    const layer = namespace?.router.match(`/${path}`, 'GET').path[0];
    if (!namespace || !layer) return null;
    const route = namespace.routes.get(layer.name ?? '');
    if (!route) return null;
    const params = layer.params(`/${path}`, layer.captures(`/${path}`)) as Record<string, string>;
    return { module: namespace.module, route, params };
  }

  #namespaceOf(path: string): Namespace | null {
    const segments = path.split('/', 6);
    for (const depth of this.#depths) {
      const found = this.#namespaces.get(segments.slice(0, depth).join('/'));
      if (found) return found;
    }
    return null;
  }
}

/** Words before parameters, so that the first match is the most exact one. */
function byExactness(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = Number(left[at]?.startsWith('{')) - Number(right[at]?.startsWith('{'));
    if (difference !== 0) return difference;
  }
  return left.length - right.length || (a < b ? -1 : 1);
}

/** What cannot be compiled is the fault of its declaration. */
function declared<T>(field: string, problem: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw new DeclarationError(`${field}: ${problem}: ${messageOf(error)}`);
  }
}

function compileNamespace(module: ModuleSpec, namespace: string): Namespace {
  const byPath = Map.groupBy(
    module.operations.filter((operation) => operation.path.startsWith(`${namespace}/`)),
    (operation) => operation.path,
  );
  const router = new Router({ sensitive: true, strict: true });
  const routes = new Map<string, Route>();
  for (const path of [...byPath.keys()].sort(byExactness)) {
    const operations = byPath.get(path) ?? [];
    const taken = new Set(operations.map((operation) => operation.method));
    const compiledHere = operations.map((operation) =>
      declared(`operations.${operation.id}`, 'its schemas cannot be compiled', () =>
        compileOperation(operation, module, taken),
      ),
    );
    for (const { id, input, output } of operations) {
      declared(`operations.${id}`, 'its schemas cannot be described', () => {
        const inputs = Object.values(input ?? {}).map((schema) => schema && jsonSchemaOf(schema));
        // Whoever asks for the description of all operations must not miss it for one.
        JSON.stringify([inputs, output && outputSchemaOf(output)]);
      });
    }
    const selectable = operations.some((operation) => operation.site === 'selectable');
    routes.set(path, { path, namespace, operations: compiledHere, selectable });
    declared(`operations.${operations[0]?.id}.path`, 'cannot be matched', () =>
      router.register(`/${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, ['GET'], () => undefined, { name: path }),
    );
  }
  return { module, router, routes };
}

function compileOperation(
  operation: Operation,
  module: ModuleSpec,
  taken: ReadonlySet<string>,
): CompiledOperation {
  const { params, query, body } = operation.input ?? {};
  return {
    operation,
    module,
    methods: methodsOf(operation, taken),
    params: params ? compileInput(params, 'text') : null,
    query: query ? compileInput(query, 'text') : null,
    body: body ? compileInput(body, operation.multipart ? 'text' : 'json') : null,
    bodyChooses: operation.site === 'selectable' && body !== undefined && 'blog_id' in body.fields,
    jsonBody: body && operation.multipart?.orJson ? compileInput(body, 'json') : null,
    formBody: body && operation.bracketed ? compileInput(body, 'text') : null,
    present: operation.output ? compilePresenter(operation.output) : null,
    status: operation.success ?? (operation.output || operation.streams ? 200 : 204),
    timeoutMs: operation.timeoutMs ?? standardTimeoutMs,
  };
}
