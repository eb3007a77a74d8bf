import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { fail } from '../api/errors.ts';
import { maxId } from '../api/schema.ts';
import { presentedBy } from '../auth/credentials.ts';
import { identify, noteUse } from '../auth/identity.ts';
import type { Nonces } from '../auth/nonces.ts';
import type { Database } from '../db/database.ts';
import type { State } from '../state/state.ts';
import { type Addresses, domainsOf, sitePathsOf } from './addresses.ts';
import type { ApiDocuments } from './api-documents.ts';
import { Application } from './application.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { isClosed, refuseClosed } from './chosen-site.ts';
import { grantOrigin } from './cors.ts';
import type { Dispatch } from './dispatch.ts';
import { type ErrorMapper, errorTablesOf, writeError } from './error-mapper.ts';
import type { Exchange } from './exchange.ts';
import type { HealthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { Peers } from './peer.ts';
import { dropUnreadBody } from './unread-body.ts';

/** Something served below a site besides the API: files, the root page, the API page. */
export interface SiteSurface {
  /** True when it answered; false when the path is not its own. */
  serve(exchange: Exchange): Promise<boolean>;
}

export interface ServerParts {
  readonly db: Database;
  readonly state: State;
  readonly peers: Peers;
  readonly addresses: Addresses;
  readonly nonces: Nonces;
  readonly dispatch: Dispatch;
  readonly apiDocuments: ApiDocuments;
  readonly surfaces: readonly SiteSurface[];
  readonly health: HealthRoutes;
  readonly errors: ErrorMapper;
  readonly metrics: Metrics;
  /** False in a process that only works: then nothing but its health answers. */
  readonly serves: boolean;
  readonly allowedOrigins: (exchange: Exchange) => readonly string[];
  readonly log: Logger;
}

/** How long a kept connection waits for one more request when the server closes, and how long a request for its end. */
const lingerMs = 1_000;
const patienceMs = 8_000;

/** The Koa application: one middleware, because everything else is data. */
export class HttpServer {
  readonly #parts: ServerParts;
  #closing = false;
  readonly app = new Application();

  constructor(parts: ServerParts) {
    this.#parts = parts;
    // Koa's own handler would print; whatever gets here was logged or is a broken socket.
    this.app.on('error', (error: unknown) => parts.log.debug({ err: error }, 'response failed'));
    this.app.use((ctx) => this.#answer(ctx));
  }

  listen(port: number, host: string): Promise<Server> {
    return new Promise((resolve, reject) => {
      // Node would answer a request without Host, or with an unknown Expect, on its own and without a body.
      const server = createServer({ requireHostHeader: false }, this.app.callback());
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      // Node's 5 minutes for a whole request would cut a large upload; bodies have limits of their own.
      server.requestTimeout = 0;
      server.on('clientError', answerBrokenRequest);
      server.once('error', reject);
      server.listen(port, host, () => resolve(server));
    });
  }

  /**
   * Accepts no more connections and lets requests in flight finish. Each answer now says that it is the last of its
   * connection: one that was simply ended would cost its client the request that is on its way.
   */
  async close(server: Server): Promise<void> {
    this.#closing = true;
    // `server.close()` would end idle connections at once.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const linger = setTimeout(() => server.close(), lingerMs);
    const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
    await closed;
    clearTimeout(linger);
    clearTimeout(patience);
  }

  async #answer(ctx: Context): Promise<void> {
    const started = performance.now();
    const requestId = randomUUID();
    const { req, res } = ctx;
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      const { path } = ctx;
      if (this.#parts.health.has(ctx, path)) return await this.#parts.health.serve(ctx, path);
      if (!this.#parts.serves) fail('rest_no_route');
      await this.#site(ctx, path, requestId);
    } catch (error) {
      writeError(ctx, this.#parts.errors.answer(error, requestId, this.#parts.log, errorTablesOf(ctx)));
    }
    if (this.#closing) res.setHeader('Connection', 'close');
    if (!req.complete) dropUnreadBody(ctx);
    this.#parts.metrics.observe(ctx, performance.now() - started);
  }

  async #site(ctx: Context, path: string, requestId: string): Promise<void> {
    const exchange = await this.#meet(ctx, path, requestId);
    ctx.state.modules = exchange.state.modules;
    const { identity, presented, rest } = exchange;
    this.#freshNonce(exchange);
    const granted = grantOrigin(ctx, this.#parts.allowedOrigins(exchange));
    if (granted && ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    }
    const { apiRoot } = this.#parts.addresses;
    const route =
      rest === apiRoot || rest.startsWith(`${apiRoot}/`) ? trimSlash(rest.slice(apiRoot.length + 1)) : null;
    // Behind a secret the dispatch looks, when it knows whose it is.
    const later = isClosed(identity) && route !== null && this.#parts.dispatch.asksForSecret(exchange, route);
    if (!later) refuseClosed(identity);
    if (identity.application_password && identity.last_use_is_old && presented.basic) {
      noteUse(this.#parts.db, identity.application_password, exchange.peer.ip).catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'use of an application password not noted'),
      );
    }
    if (route !== null) {
      if (this.#parts.apiDocuments.serve(exchange, route)) return;
      await this.#parts.dispatch.handle(exchange, route);
      return;
    }
    for (const surface of this.#parts.surfaces) if (await surface.serve(exchange)) return;
    fail('rest_no_route');
  }

  /** Finds site, caller and state: one round trip while the state is in memory. */
  async #meet(ctx: Context, path: string, requestId: string): Promise<Exchange> {
    const peer = this.#parts.peers.of(ctx.req);
    const domains = domainsOf(peer.host);
    if (!domains) return fail('site_not_found');
    const paths = sitePathsOf(path);
    const query = ctx.originalUrl.includes('?') ? ctx.query : noQuery;
    const nonce = query._svc_nonce;
    const presented = presentedBy(ctx.req.headers, typeof nonce === 'string' ? nonce : null);
    const blogId = asId(query.blog_id);
    const identity = await identify(this.#parts.db, { domains, paths, blogId, presented });
    if (!identity) return fail('site_not_found');
    const state =
      this.#parts.state.known(identity.blog_id, identity.revision) ??
      (await this.#parts.state.load(identity.blog_id, identity.revision));
    if (!state) return fail('site_not_found');
    // `/lab` is the site `/lab/` too.
    const rest = path.slice(identity.path.length);
    const choose = (other: number) => identify(this.#parts.db, { domains, paths, blogId: other, presented });
    return { ctx, peer, requestId, identity, presented, state, query, choose, rest };
  }

  #freshNonce({ ctx, identity, presented }: Exchange): void {
    if (identity.user_id === null || !presented.session || presented.basic) return;
    ctx.res.setHeader('X-Svc-Nonce', this.#parts.nonces.fresh(identity.user_id, presented.session));
    ctx.res.setHeader('Vary', 'Cookie');
  }
}

const noQuery: Exchange['query'] = Object.freeze({});

/** Only what could be an id reaches SQL. */
function asId(text: string | string[] | undefined): number | null {
  if (typeof text !== 'string' || !/^[1-9]\d{0,9}$/.test(text)) return null;
  const value = Number(text);
  return value <= maxId ? value : null;
}

const trimSlash = (route: string): string => (route.endsWith('/') ? route.slice(0, -1) : route);
