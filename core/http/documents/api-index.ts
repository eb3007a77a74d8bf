import { version } from '../../version.ts';
import type { DescribedOperation } from './described-operation.ts';
import type { DescribedSite } from './described-site.ts';
import type { InputField } from './input-fields.ts';

interface IndexArgument {
  readonly required: boolean;
  readonly type: unknown;
}

interface IndexEndpoint {
  readonly methods: readonly string[];
  readonly extension: boolean;
  readonly args: Readonly<Record<string, IndexArgument>>;
}

interface IndexRoute {
  readonly namespace: string;
  readonly module: string;
  readonly methods: readonly string[];
  /** True when no operation of the path is part of the published contract. */
  readonly extension: boolean;
  readonly endpoints: readonly IndexEndpoint[];
}

/** A path that is served on the site now, with its operations; there is at least one. */
export interface ServedPath {
  /** As declared: `svc/host/v1/users/{id}`. */
  readonly path: string;
  readonly namespace: string;
  readonly operations: readonly DescribedOperation[];
}

/** For a value of any type: clients of WordPress hosts expect a type for each argument. */
const anyType = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function argument({ required, schema }: InputField): IndexArgument {
  return { required, type: schema.type ?? anyType };
}

/** HEAD goes without saying where GET is. */
function endpoint({ compiled, path, query, body, extension }: DescribedOperation): IndexEndpoint {
  return {
    methods: compiled.methods.filter((method) => method !== 'HEAD'),
    extension,
    args: Object.fromEntries([...path, ...query, ...body].map((field) => [field.name, argument(field)])),
  };
}

/**
 * `/acme/polls/v1/polls/(?P<id>[\d]+)`: the form in which WordPress hosts write routes, because their clients
 * build requests from it.
 */
function routePattern({ path, operations }: ServedPath): string {
  const fields = operations[0]?.path ?? [];
  const integers = new Set(fields.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name));
  const pattern = path.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => `(?P<${name}>${integers.has(name) ? '[\\d]+' : '[^/]+'})`,
  );
  return `/${pattern}`;
}

function indexRoute({ namespace, operations }: ServedPath): IndexRoute {
  const endpoints = operations.map(endpoint);
  return {
    namespace,
    module: operations[0]?.compiled.module.id ?? '',
    methods: [...new Set(endpoints.flatMap(({ methods }) => methods))],
    extension: endpoints.every(({ extension }) => extension),
    endpoints,
  };
}

/** The answer of the API's root: what the site is and what it serves now. */
export function apiIndex(site: DescribedSite, served: readonly ServedPath[]): object {
  return {
    name: site.title,
    description: site.description,
    url: site.url,
    home: site.url,
    blog_id: site.blogId,
    network_id: site.networkId,
    multisite: site.multisite,
    version,
    namespaces: [...new Set(served.map(({ namespace }) => namespace))].sort(),
    authentication: {},
    routes: Object.fromEntries(served.map((path) => [routePattern(path), indexRoute(path)])),
  };
}
