import type { Knex } from 'knex';
import type { Logger } from 'pino';
import * as yup from 'yup';
import type { Actor } from '../api/actor.ts';
import type { AreaFile } from '../api/area.ts';
import type { Job, JobRun, PendingJob } from '../api/job.ts';
import type { HookTools, ListenerTools, SiteRef } from '../api/module.ts';
import type { Notice } from '../api/notices.ts';
import type { Operation } from '../api/operation.ts';
import type { Token } from '../api/provider.ts';
import type { Post } from '../content/post.ts';
import { Database } from '../db/database.ts';
import { Problems } from '../http/input.ts';
import { Html } from '../http/pages/html.ts';
import { compilePresenter, type Presenter } from '../http/presenter.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { PageCallWords } from '../shortcodes/reader-call.ts';
import type { CallWords, KnownCall } from './call-words.ts';
import type { Line } from './line.ts';
import { type PageWords, type Returned, writePage, writeReturned } from './worker-answers.ts';
import { WorkerCall } from './worker-call.ts';
import { checkAttributes, type PieceUse, WorkerPageCall } from './worker-page-call.ts';
import { WorkerServices } from './worker-services.ts';

/** Connections of one worker, beside those of its process. */
const poolSize = 4;

type Parts = Readonly<Partial<Record<'params' | 'query' | 'body', unknown>>>;

/** What a job in a worker is told of its run. */
interface RunWords {
  readonly id: string;
  readonly payload: unknown;
  readonly site: SiteRef;
  readonly userId: number | null;
  readonly cursor: unknown;
}

/** The module's code, in its worker, as the host's process asks for it. */
export class WorkerModule {
  readonly #spec: ModuleSpec;
  readonly #line: Line;
  readonly #log: Logger;
  readonly #operations: ReadonlyMap<
    string,
    { readonly operation: Operation; readonly present: Presenter | null }
  >;
  #services: WorkerServices | null = null;

  constructor(spec: ModuleSpec, line: Line, log: Logger) {
    this.#spec = spec;
    this.#line = line;
    this.#log = log;
    this.#operations = new Map(
      spec.operations.map((operation) => [
        operation.id,
        { operation, present: operation.output ? compilePresenter(operation.output) : null },
      ]),
    );
  }

  readonly #get = <T>(token: Token<T>): T => {
    if (!this.#services) throw new Error('The host offers its services when the module is started.');
    return this.#services.get(token);
  };

  async begin(databaseUrl: string): Promise<void> {
    const database = new Database(databaseUrl, { poolSize, log: this.#log });
    this.#services = new WorkerServices(this.#spec, this.#line, database);
    await this.#spec.hooks.start?.({ log: this.#log, get: this.#get });
  }

  async operate(
    id: string,
    input: unknown,
    words: CallWords,
    call: unknown,
    signal: AbortSignal,
  ): Promise<Returned> {
    const { operation, present } = this.#operation(id);
    const { access } = operation;
    const known = 'secret' in access ? { ...words, secret: access.secret } : words;
    const checked = checkParts(operation, input as Parts);
    const returned = await operation.handle(checked as never, this.#call(known, call, signal));
    return writeReturned(returned, present);
  }

  async check(
    id: string,
    path: Readonly<Record<string, string>>,
    words: CallWords,
    call: unknown,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { access } = this.#operation(id).operation;
    return 'check' in access && access.check(this.#call(words, call, signal), path);
  }

  async recognise(
    id: string,
    path: Readonly<Record<string, string>>,
    words: CallWords,
    call: unknown,
    signal: AbortSignal,
    secret: string,
  ): Promise<unknown> {
    const { access } = this.#operation(id).operation;
    return 'secret' in access ? access.secret.recognise(secret, this.#call(words, call, signal), path) : null;
  }

  async page(
    id: string,
    form: Readonly<Record<string, string>> | null,
    words: CallWords,
    reference: unknown,
    signal: AbortSignal,
  ): Promise<PageWords> {
    const page = find(this.#spec.pages, id);
    const call = this.#call(words, reference, signal);
    const answer = form === null ? await page.show(call) : await page.submit?.(form, call);
    if (!answer) throw new Error(`The page "${id}" gave no answer.`);
    return writePage(answer);
  }

  async area(
    id: string,
    path: string,
    words: CallWords,
    reference: unknown,
    signal: AbortSignal,
  ): Promise<AreaFile | null> {
    return find(this.#spec.areas, id).find(path, this.#call(words, reference, signal));
  }

  async shortcode(
    tag: string,
    { attributes: given, content, inner }: PieceUse,
    words: PageCallWords,
    signal: AbortSignal,
  ): Promise<string> {
    const shortcode = this.#spec.shortcodes.find((one) => one.tag === tag);
    if (!shortcode) throw new Error(`The module has no shortcode "${tag}".`);
    const attributes = checkAttributes(shortcode, given);
    const use = { attributes, content, inner: async () => new Html(await inner()) };
    return (await shortcode.render(use as never, this.#pageCall(words, signal))).text;
  }

  async addition(id: string, post: Post, words: PageCallWords, signal: AbortSignal): Promise<string | null> {
    const html = await find(this.#spec.pageAdditions, id).after(post, this.#pageCall(words, signal));
    return html?.text ?? null;
  }

  async migrate(id: string, trx: Knex.Transaction): Promise<void> {
    await find(this.#spec.migrations, id).up(trx);
  }

  async job(
    id: string,
    act: 'run' | 'undo',
    words: RunWords,
    run: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const job = find(this.#spec.jobs, id);
    return job[act]?.(this.#run(words, run, signal) as never);
  }

  async withdraw(id: string, pending: PendingJob<never>, trx: Knex.Transaction): Promise<void> {
    await find<Job>(this.#spec.jobs, id).withdraw?.(pending, this.#tools(trx));
  }

  async schedule(id: string, signal: AbortSignal): Promise<void> {
    const log = this.#log.child({ schedule: id });
    await find(this.#spec.schedules, id).run({ log, signal, get: this.#get, now: () => new Date() });
  }

  async listen(
    index: number,
    notice: Notice,
    trx: Knex.Transaction,
    actor: Actor,
    tools: unknown,
  ): Promise<void> {
    const lent = (method: string, ...args: unknown[]) =>
      this.#line.ask('lent', [tools, method, ...args], null);
    const given: ListenerTools = {
      ...this.#tools(trx),
      actor,
      setting: async <T>(name: string) => (await lent('setting', name)) as T,
      send: async (next) => void (await lent('send', next)),
    };
    await this.#spec.listeners[index]?.react(notice, given);
  }

  async hook(name: string, place: unknown, trx: Knex.Transaction | undefined): Promise<void> {
    const hook = this.#spec.hooks[name as 'onEnabled' | 'stop'] as
      | ((place: unknown, tools: HookTools | undefined) => Promise<void> | void)
      | undefined;
    await hook?.(place, trx && this.#tools(trx));
  }

  #operation(id: string) {
    const found = this.#operations.get(id);
    if (!found) throw new Error(`The module has no operation "${id}".`);
    return found;
  }

  #tools(trx: Knex.Transaction): HookTools {
    return { trx, log: this.#log, get: this.#get };
  }

  #call(words: KnownCall, reference: unknown, signal: AbortSignal): WorkerCall {
    const log = this.#log.child({ request_id: words.requestId });
    const call = new WorkerCall({ words, signal, log, get: this.#get });
    // A service that is given this call gets the host's own.
    this.#line.standFor(call, reference);
    return call;
  }

  #pageCall(words: PageCallWords, signal: AbortSignal): WorkerPageCall {
    return new WorkerPageCall({ words, signal, log: this.#log, get: this.#get });
  }

  #run(
    { id, payload, site, userId, cursor }: RunWords,
    reference: unknown,
    signal: AbortSignal,
  ): JobRun<unknown> {
    let reached = cursor;
    const lent = (method: string, ...args: unknown[]) =>
      this.#line.ask('lent', [reference, method, ...args], null);
    return {
      id,
      payload,
      site,
      userId,
      signal,
      log: this.#log.child({ job_id: id }),
      get: this.#get,
      setting: async <T>(name: string) => (await lent('setting', name)) as T,
      cursor: <C>() => (reached ?? null) as C | null,
      step: async (work) => {
        await lent('step', async (trx: Knex.Transaction) => {
          const step = await work(trx);
          if (step.cursor !== undefined) reached = step.cursor;
          return step;
        });
      },
      finish: async (work) => (await lent('finish', work)) as never,
      note: async (level, message, data) => void (await lent('note', level, message, data)),
    };
  }
}

function find<T extends { readonly id: string }>(list: readonly T[], id: string): T {
  const found = list.find((one) => one.id === id);
  if (!found) throw new Error(`The module declares no "${id}".`);
  return found;
}

/** The tests of the schemas themselves: the host's process has picked and read the fields. */
function checkParts(operation: Operation, input: Parts): Parts {
  const problems = new Problems();
  const checked: Record<string, unknown> = { ...input };
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = operation.input?.[part];
    if (!schema) continue;
    try {
      const strict = part === 'body' && !operation.multipart;
      checked[part] = schema.validateSync(input[part], { abortEarly: false, strict });
    } catch (error) {
      if (!(error instanceof yup.ValidationError)) throw error;
      for (const inner of error.inner.length > 0 ? error.inner : [error]) {
        problems.add(
          part === 'body' ? (inner.path ?? '') : (inner.path ?? '').replace(/\[\d+\]$/, ''),
          inner.message,
        );
      }
    }
  }
  problems.throwIfAny(operation.badInput);
  return checked;
}
