import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { errorRows } from '../registry/declared-errors.ts';
import { derived } from '../registry/installed.ts';
import type { InstalledModules } from '../registry/spec.ts';
import type { SiteState } from '../state/site-state.ts';
import type { Addresses } from './addresses.ts';
import { apiIndex, type ServedPath } from './documents/api-index.ts';
import { type DescribedOperation, describeOperations } from './documents/described-operation.ts';
import { describedSite } from './documents/described-site.ts';
import { type KeptDocument, keepDocument, sendKept } from './documents/kept-document.ts';
import { openapi } from './documents/openapi.ts';
import { openapiOperation } from './documents/openapi-operation.ts';
import type { Exchange } from './exchange.ts';
import { isRead } from './only-reads.ts';
import { isOpen } from './open-operations.ts';
import type { CompiledOperation, RouteTable } from './route-table.ts';
import { fieldsAsked, keepFields, send } from './write-answer.ts';

export interface ApiDocumentParts {
  readonly routes: (modules: InstalledModules) => RouteTable;
  readonly addresses: Addresses;
}

/** Bytes of documents kept in memory: those of a few hundred sites, of which the busy ones stay. */
const keptBytes = 48 * 1024 * 1024;

/** A document together with all that it was made from. */
interface Kept extends KeptDocument {
  readonly state: SiteState;
  readonly title: string;
  readonly domain: string;
  readonly path: string;
}

type Name = 'index' | 'openapi';

const nameByRoute: ReadonlyMap<string, Name> = new Map([
  ['', 'index'],
  ['openapi.json', 'openapi'],
]);

function answer(ctx: Context, document: KeptDocument, fields: ReadonlySet<string> | null): void {
  if (!fields) return sendKept(ctx, document);
  const kept = keepFields(JSON.parse(document.body.toString('utf8')), fields);
  send(ctx, { status: 200, headers: {}, cookies: [], body: JSON.stringify(kept) });
}

/**
 * The API's two descriptions of itself: the index at its root and `openapi.json`. Both are public. They are made of a
 * site's present state, and kept until it changes.
 */
export class ApiDocuments {
  readonly #parts: ApiDocumentParts;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }) => body.length,
  });
  readonly #rows = derived(errorRows);
  readonly #operations: (modules: InstalledModules) => ReadonlyMap<CompiledOperation, DescribedOperation>;
  readonly #objects = new WeakMap<DescribedOperation, Record<string, unknown>>();

  constructor(parts: ApiDocumentParts) {
    this.#parts = parts;
    this.#operations = derived((modules) => describeOperations(parts.routes(modules), modules));
  }

  /** True when it answered; false when the route is not its own. */
  serve(exchange: Exchange, route: string): boolean {
    const name = nameByRoute.get(route);
    if (!name) return false;
    const { ctx } = exchange;
    if (!isRead(ctx)) return true;
    ctx.state.operation = `host.api-${name}`;
    if (name === 'index') ctx.set('Link', this.#links(exchange));
    answer(ctx, this.#of(name, exchange), fieldsAsked(exchange.query));
    return true;
  }

  #of(name: Name, exchange: Exchange): KeptDocument {
    const { state, identity } = exchange;
    const { title, domain, path } = identity;
    const key = `${name} ${identity.blog_id}`;
    const kept = this.#kept.get(key);
    const isCurrent =
      kept?.state === state && kept.title === title && kept.domain === domain && kept.path === path;
    if (isCurrent) return kept;
    const made = { ...keepDocument(this.#make(name, exchange)), state, title, domain, path };
    this.#kept.set(key, made);
    return made;
  }

  /** Where the index's readers find the rest, by the relations of RFC 8631. */
  #links({ identity }: Exchange): string {
    const { addresses } = this.#parts;
    const description = addresses.route(identity, 'openapi.json');
    return `<${description}>; rel="service-desc", <${addresses.site(identity)}docs>; rel="service-doc"`;
  }

  #make(name: Name, exchange: Exchange): object {
    const site = describedSite(exchange, this.#parts.addresses);
    const served = this.#served(exchange.state);
    if (name === 'index') return apiIndex(site, served);
    const rows = this.#rows(exchange.state.modules);
    const single = this.#parts.addresses.multisite === 'off';
    return openapi(site, served, rows, (described) => {
      const known = this.#objects.get(described) ?? openapiOperation(described, rows, single);
      this.#objects.set(described, known);
      return known;
    });
  }

  #served(state: SiteState): ServedPath[] {
    const described = this.#operations(state.modules);
    return [...this.#parts.routes(state.modules).routes()].flatMap(({ path, namespace, operations }) => {
      const open = operations.filter((compiled) => isOpen(compiled, state));
      if (open.length === 0) return [];
      return [{ path, namespace, operations: open.flatMap((compiled) => described.get(compiled) ?? []) }];
    });
  }
}
