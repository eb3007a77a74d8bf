import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface KeptStatement {
  readonly id: string;
  readonly actor: unknown;
  readonly verb: { readonly id: string };
  readonly object: { readonly id: string; readonly definition?: { readonly type: string } };
  readonly result?: { readonly completion?: boolean; readonly duration?: string };
  readonly context: {
    readonly registration?: string;
    readonly extensions?: Record<string, unknown>;
    readonly contextActivities?: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
  readonly timestamp: string;
}

export const password = 'Basic bGVhcm5lcjpzZWNyZXQ=';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const iri = /^[a-z][a-z0-9+.-]*:\S+$/;

/** What xAPI 1.0.3 demands of a statement; a text that says what is wrong, or null. */
function fault(statement: KeptStatement): string | null {
  if (!uuid.test(statement.id)) return 'id';
  if (!iri.test(statement.verb?.id)) return 'verb';
  if (!iri.test(statement.object?.id)) return 'object';
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(statement.timestamp)) return 'timestamp';
  const { registration, contextActivities = {} } = statement.context ?? {};
  if (registration !== undefined && !uuid.test(registration)) return 'registration';
  for (const activities of Object.values(contextActivities)) {
    if (!activities.every(({ id }) => iri.test(id))) return 'contextActivities';
  }
  const duration = statement.result?.duration;
  if (duration !== undefined && !/^PT\d+(\.\d+)?S$/.test(duration)) return 'duration';
  return null;
}

/**
 * A small learning record store of xAPI 1.0.3 on an origin of its own, with the address at which cmi5 gives out the
 * key of a session once. It refuses what the specification forbids, and keeps a list of what it refused.
 */
export class RecordStoreServer {
  readonly statements: KeptStatement[] = [];
  /** Documents by resource and query. */
  readonly documents = new Map<string, string>();
  readonly refused: string[] = [];
  /** `POST statements` and the like, in the order of arrival. */
  readonly asked: string[] = [];
  /** Statements are answered with this status, until it is null again. */
  broken: number | null = null;
  #tokens = new Set<string>();
  #heard = new EventTarget();
  #server = createServer((request, response) => {
    response.on('close', () => this.#heard.dispatchEvent(new Event('answered')));
    void this.#answer(request, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get endpoint(): string {
    return `${this.origin}/xapi/`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** An address that gives a key once. */
  fetchAddress(): string {
    const token = Buffer.from(`session:${randomUUID()}`).toString('base64');
    this.#tokens.add(token);
    return `${this.origin}/fetch?session=${encodeURIComponent(token)}`;
  }

  /** Resolves when something holds of the store, which is looked at after each of its answers. */
  async until(holds: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(15_000);
    while (!holds()) {
      const answered = once(this.#heard, 'answered', { signal: late });
      await answered.catch(() => {
        throw new Error(`Never: ${holds}; it was told ${this.verbs()} and asked ${this.asked}`);
      });
    }
  }

  verbs(): string[] {
    return this.statements.map(({ verb }) => verb.id.slice(verb.id.lastIndexOf('/') + 1));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader(
      'Access-Control-Allow-Headers',
      'authorization, content-type, x-experience-api-version',
    );
    response.setHeader('Access-Control-Allow-Methods', 'GET, PUT, POST');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const json = (status: number, content: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    };
    const refuse = (status: number, why: string): void => {
      this.refused.push(`${request.method} ${url.pathname}: ${why}`);
      json(status, why);
    };
    const resource = url.pathname.replace(/^\/(xapi\/)?/, '');
    this.asked.push(`${request.method} ${resource} ${url.searchParams.get('stateId') ?? ''}`.trim());
    if (resource === 'fetch') {
      const token = url.searchParams.get('session') ?? '';
      const isFirst = request.method === 'POST' && this.#tokens.delete(token);
      return json(200, isFirst ? { 'auth-token': token } : { 'error-code': '1', 'error-text': 'Given out.' });
    }
    response.setHeader('X-Experience-API-Version', '1.0.3');
    if (!/^1\.0(\.\d+)?$/.test(String(request.headers['x-experience-api-version'])))
      return refuse(400, 'version');
    if (!request.headers.authorization?.startsWith('Basic ')) return refuse(401, 'authorization');
    if (resource === 'statements' && request.method === 'POST') return this.#keep(body, json, refuse);
    if (resource === 'activities/state' || resource === 'agents/profile') {
      return this.#document(request.method ?? '', resource, url.searchParams, body, response, refuse);
    }
    return refuse(404, 'resource');
  }

  #keep(
    body: string,
    json: (status: number, content: unknown) => void,
    refuse: (status: number, why: string) => void,
  ): void {
    if (this.broken !== null) return json(this.broken, 'broken');
    const given = [JSON.parse(body) as KeptStatement | KeptStatement[]].flat();
    const wrong = given.flatMap((statement) => fault(statement) ?? []);
    if (wrong.length > 0) return refuse(400, wrong.join());
    if (given.some(({ id }) => this.statements.some((kept) => kept.id === id))) return json(409, 'known');
    this.statements.push(...given);
    json(
      200,
      given.map(({ id }) => id),
    );
  }

  #document(
    method: string,
    resource: string,
    query: URLSearchParams,
    body: string,
    response: ServerResponse,
    refuse: (status: number, why: string) => void,
  ): void {
    const needed =
      resource === 'agents/profile' ? ['agent', 'profileId'] : ['activityId', 'agent', 'stateId'];
    const missing = needed.filter((name) => !query.get(name));
    if (missing.length > 0) return refuse(400, missing.join());
    const key = `${resource}?${query}`;
    if (method === 'PUT') {
      this.documents.set(key, body);
      return void response.writeHead(204).end();
    }
    const kept = this.documents.get(key);
    if (kept === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(kept);
  }
}
