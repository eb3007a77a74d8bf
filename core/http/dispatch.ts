import type { Context } from 'koa';
import type { Logger } from 'pino';
import { fail, isCoded } from '../api/errors.ts';
import { hostBlogCodes } from '../api/host-errors.ts';
import type { Multipart } from '../api/operation.ts';
import type { Token } from '../api/provider.ts';
import { readId } from '../api/schema.ts';
import type { CapabilityTable } from '../auth/capabilities.ts';
import type { Nonces } from '../auth/nonces.ts';
import type { Database } from '../db/database.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { asModule } from '../isolation/running.ts';
import type { InstalledModules, ModuleSpec } from '../registry/spec.ts';
import type { Uses } from '../registry/uses.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { SiteState } from '../state/site-state.ts';
import type { State } from '../state/state.ts';
import type { Addresses } from './addresses.ts';
import { Admission, type Chosen } from './admission.ts';
import { isForm, maxJsonBytes, readBracketedForm, readJsonBody } from './body.ts';
import { nestedOf } from './bracketed.ts';
import { setCookies } from './cookies.ts';
import { answerPreflight } from './cors.ts';
import { type ErrorMapper, errorTablesOf } from './error-mapper.ts';
import type { Exchange } from './exchange.ts';
import type { HostCall } from './host-call.ts';
import { type Idempotency, isIdempotencyKey } from './idempotency.ts';
import { type InputReader, invalidParams, Problems } from './input.ts';
import { type MultipartBody, readMultipart } from './multipart.ts';
import { isOpen } from './open-operations.ts';
import type { CompiledOperation, RouteMatch, RouteTable } from './route-table.ts';
import { HandlerGuard, withinTime } from './run-handler.ts';
import type { UploadFolder } from './upload-folder.ts';
import { type Finished, fieldsAsked, finish, StreamAnswer, send, sendStream } from './write-answer.ts';

export interface DispatchParts {
  readonly db: Database;
  /** The routes of a set of modules; a request keeps to the set that it began with. */
  readonly routes: (modules: InstalledModules) => RouteTable;
  readonly uses: Uses;
  readonly state: State;
  readonly nonces: Nonces;
  readonly capabilities: CapabilityTable;
  readonly settings: SettingsService;
  readonly addresses: Addresses;
  readonly idempotency: Idempotency;
  readonly errors: ErrorMapper;
  readonly crashes: Crashes;
  readonly resolve: (module: ModuleSpec) => <T>(token: Token<T>) => T;
  readonly now: () => Date;
  readonly log: Logger;
  /** Where uploads wait for their handler. */
  readonly uploads: UploadFolder;
  /** Bytes that an upload to this site may have. */
  readonly uploadLimit: (state: SiteState) => number;
  /** Told of every coded error, for tests that hold declarations against what is thrown. */
  readonly onCoded: CodedListener | null;
}

/** @param modules as the request saw them */
export type CodedListener = (operation: string, code: string, modules: InstalledModules) => void;

/** Takes a request below the API root through gate, access, input, handler and presenter. */
export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #guard: HandlerGuard;
  readonly #admission: Admission;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#guard = new HandlerGuard(parts.errors, parts.crashes);
    this.#admission = new Admission({ ...parts, guard: this.#guard });
  }

  /** @param route path below the API root, without slashes around it */
  async handle(exchange: Exchange, route: string): Promise<void> {
    const { ctx } = exchange;
    const match = this.#parts.routes(exchange.state.modules).match(route);
    if (!match) return fail('rest_no_route');
    const { operations, selectable } = match.route;
    ctx.state.spec = match.module;
    ctx.res.once('close', this.#parts.uses.enter(match.module));
    const method = effectiveMethod(ctx);
    const chosen = selectable ? await this.#chosenSite(exchange) : null;
    const state = chosen && chosen !== 'unknown' ? chosen.state : exchange.state;
    const compiled = operations.find((one) => one.methods.includes(method) && isOpen(one, state));
    if (!compiled) return this.#otherMethod(ctx, operations, state);
    ctx.state.operation = compiled.operation.id;
    const chosenHere = compiled.operation.site === 'selectable' ? chosen : null;
    await this.#operate(exchange, compiled, match, chosenHere, method);
  }

  /** Whether a secret says who asks for this route: then cookies and passwords do not. */
  asksForSecret({ ctx, state }: Exchange, route: string): boolean {
    const method = effectiveMethod(ctx);
    const asked = this.#parts
      .routes(state.modules)
      .match(route)
      ?.route.operations.find((one) => one.methods.includes(method) && isOpen(one, state));
    return asked !== undefined && 'secret' in asked.operation.access;
  }

  #otherMethod(ctx: Context, operations: readonly CompiledOperation[], state: SiteState): void {
    const open = operations.filter((candidate) => isOpen(candidate, state));
    if (open.length === 0) return fail('rest_no_route');
    const allowed = [...new Set(open.flatMap((candidate) => candidate.methods))];
    if (ctx.method === 'OPTIONS') return answerPreflight(ctx, allowed);
    fail('rest_method_not_allowed', { headers: { Allow: allowed.join(', ') } });
  }

  /** The site that `blog_id` names: null for the current one, `unknown` when it names none of this network. */
  async #chosenSite({ query, identity }: Exchange): Promise<Chosen> {
    const asked = query.blog_id;
    if (asked === undefined || asked === String(identity.blog_id)) return null;
    if (!identity.chosen) return 'unknown';
    const state = await this.#parts.state.load(identity.chosen.blog_id, identity.revision);
    return state ? { site: identity.chosen, state } : 'unknown';
  }

  async #operate(
    exchange: Exchange,
    compiled: CompiledOperation,
    match: RouteMatch,
    chosen: Chosen,
    method: string,
  ): Promise<void> {
    const { operation, module } = compiled;
    const { ctx } = exchange;
    const current = await this.#admission.admit(exchange, compiled, match, chosen);
    const { multipart: form } = operation;
    const multipart =
      form && !(form.orJson && ctx.is('json', '+json'))
        ? await readMultipart(ctx, {
            folder: this.#parts.uploads,
            fileField: form.file,
            maxBytes: await this.#uploadLimit(compiled, form, current),
          })
        : null;
    try {
      const most = operation.maxBodyBytes ?? maxJsonBytes;
      const sent = multipart
        ? { values: multipart.fields, reader: compiled.body }
        : await readSent(ctx, compiled, most);
      const body = sent.values;
      const said = compiled.bodyChooses ? body.blog_id : undefined;
      // Texts of forms are read by `readId`; in JSON it is a number or nothing.
      if (multipart === null && said !== undefined && !Number.isInteger(said)) {
        return fail((operation.blogCodes ?? hostBlogCodes).invalid);
      }
      const call = await this.#siteInBody(exchange, compiled, match, current, said);
      const act = (): Promise<Finished | StreamAnswer> =>
        this.#act(exchange, compiled, match, call, sent, multipart);
      const key = ctx.get('Idempotency-Key');
      const finished =
        key !== '' && method === 'POST' && call.user
          ? await this.#once(exchange, key, call, call.user.id, wholeOf(body, multipart), act)
          : await act();
      if (finished instanceof StreamAnswer) return sendStream(ctx, finished);
      setCookies(ctx, finished.cookies, exchange.peer.secure);
      send(ctx, finished);
    } catch (error) {
      if (isCoded(error)) this.#parts.onCoded?.(operation.id, error.code, exchange.state.modules);
      throw error;
    } finally {
      await multipart?.discard();
    }
    ctx.state.module = module.id;
  }

  /** The call on the site that the body names, should it name another one than the address. */
  async #siteInBody(
    exchange: Exchange,
    compiled: CompiledOperation,
    match: RouteMatch,
    current: HostCall,
    said: unknown,
  ): Promise<HostCall> {
    if (said === undefined) return current;
    const named = String(said);
    const asked = exchange.query.blog_id;
    if (asked !== undefined && asked !== named) invalidParams({ blog_id: 'differs from that of the query' });
    if (named === String(current.site.blog_id)) return current;
    const id = readId(named);
    const identity = id === null ? null : await exchange.choose(id);
    const query = { ...exchange.query, blog_id: named };
    const there = { ...exchange, identity: identity ?? exchange.identity, query };
    const chosen = await this.#chosenSite(there);
    if (chosen && chosen !== 'unknown' && !isOpen(compiled, chosen.state)) return fail('rest_no_route');
    return this.#admission.admit(there, compiled, match, chosen);
  }

  async #uploadLimit(
    { operation, module }: CompiledOperation,
    { maxBytes }: Multipart,
    call: HostCall,
  ): Promise<number> {
    if (typeof maxBytes !== 'function') return maxBytes ?? this.#parts.uploadLimit(call.state);
    return this.#guard.run(operation.id, module, call, async () => asModule(module.id, () => maxBytes(call)));
  }

  #once(
    exchange: Exchange,
    key: string,
    call: HostCall,
    userId: number,
    body: unknown,
    act: () => Promise<Finished | StreamAnswer>,
  ): Promise<Finished | StreamAnswer> {
    if (!isIdempotencyKey(key)) {
      fail('rest_invalid_param', {
        data: { params: { 'Idempotency-Key': 'must have 1 to 255 printable characters' } },
      });
    }
    // The chosen site is part of what is asked for, as the current one is.
    const path = `${call.site.blog_id}:${exchange.identity.blog_id}:${trimSlash(exchange.rest)}`;
    const quiet = this.#parts.log.child({}, { level: 'silent' });
    const refused = (error: unknown): Finished => {
      const tables = errorTablesOf(exchange.ctx);
      const answer = this.#parts.errors.answer(error, exchange.requestId, quiet, tables);
      const { status, headers, body: said } = answer;
      return { status, headers, cookies: [], body: JSON.stringify(said) };
    };
    return this.#parts.idempotency.run({ userId, method: 'POST', path, key, body }, act, refused);
  }

  async #act(
    exchange: Exchange,
    compiled: CompiledOperation,
    match: RouteMatch,
    call: HostCall,
    sent: Sent,
    multipart: MultipartBody | null,
  ): Promise<Finished | StreamAnswer> {
    const problems = new Problems();
    const params = compiled.params ? compiled.params(match.params, problems) : {};
    const query = compiled.query ? compiled.query(queryOf(exchange, compiled), problems) : {};
    const read = sent.reader ? sent.reader(sent.values, problems) : {};
    const { multipart: declared } = compiled.operation;
    const isEmpty = declared?.emptyCode !== undefined && multipart?.file?.bytes === 0;
    const wantsFile = declared && (multipart !== null || !declared.orJson);
    if (wantsFile && !isEmpty && !multipart?.file?.bytes) problems.missing.push(declared.file);
    problems.throwIfAny(compiled.operation.badInput);
    if (isEmpty) fail(declared.emptyCode);
    const input = { params, query, body: read, file: multipart?.file ?? null };
    const { operation, module } = compiled;
    return this.#guard.run(operation.id, module, call, async () => {
      const handle = () => operation.handle(input as never, call);
      const returned = await withinTime(compiled, call, handle);
      if (returned instanceof StreamAnswer) return returned;
      return finish(compiled, returned, query, {
        fields: fieldsAsked(exchange.query),
        listUrl: () => this.#listUrl(exchange),
      });
    });
  }

  #listUrl(exchange: Exchange): URL {
    const url = new URL(exchange.rest, this.#parts.addresses.site(exchange.identity));
    for (const [name, value] of Object.entries(exchange.query)) {
      if (typeof value === 'string' && name !== '_svc_nonce') url.searchParams.set(name, value);
    }
    return url;
  }
}

/** A body that was read, and how its values are to be. */
interface Sent {
  readonly values: Record<string, unknown>;
  readonly reader: InputReader | null;
}

async function readSent(ctx: Context, compiled: CompiledOperation, most: number): Promise<Sent> {
  const { body, jsonBody, formBody } = compiled;
  if (formBody && isForm(ctx)) return { values: await readBracketedForm(ctx), reader: formBody };
  return { values: body ? await readJsonBody(ctx, most) : {}, reader: jsonBody ?? body };
}

const queryOf = ({ ctx, query }: Exchange, { operation }: CompiledOperation) =>
  operation.bracketed ? nestedOf(new URLSearchParams(ctx.querystring)) : query;

/** What makes two requests the same one: an upload's file counts by its content, not by where it lies. */
function wholeOf(body: unknown, multipart: MultipartBody | null): unknown {
  if (!multipart?.file) return body;
  const { name, bytes, sha256 } = multipart.file;
  return { body, file: { name, bytes, sha256 } };
}

const trimSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

function effectiveMethod(ctx: Context): string {
  if (ctx.method !== 'POST') return ctx.method;
  const asked = ctx.get('X-HTTP-Method-Override').toUpperCase();
  return ['PUT', 'PATCH', 'DELETE'].includes(asked) ? asked : 'POST';
}
