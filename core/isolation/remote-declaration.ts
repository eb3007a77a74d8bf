import { Answer, Page, StreamAnswer } from '../api/answers.ts';
import type { AreaFile } from '../api/area.ts';
import type { Call } from '../api/call.ts';
import { isCoded } from '../api/errors.ts';
import { type Job, type JobRun, TransientFailure } from '../api/job.ts';
import type { Hooks, HookTools, ListenerTools, ModuleDeclaration } from '../api/module.ts';
import type { Operation } from '../api/operation.ts';
import { PageAnswer, type SitePage } from '../api/page.ts';
import type { SecretDeclaration, SecretHolder } from '../api/secret.ts';
import { Html } from '../http/pages/html.ts';
import { writeCall } from './call-words.ts';
import type { IsolatedModule } from './isolated-module.ts';
import type { ModuleWords, OperationWords } from './module-words.ts';
import { remoteAddition, remoteShortcode } from './remote-pieces.ts';
import { readShape, readWhole } from './schema-words.ts';
import { Reference } from './wire.ts';
import type { PageWords, Returned } from './worker-answers.ts';

/** A declaration whose data were read in the worker, and whose code is there. */
export function remoteDeclaration(words: ModuleWords, module: IsolatedModule): ModuleDeclaration {
  const names = Object.keys(words.settings);
  return {
    ...words.data,
    settings: Object.fromEntries(
      Object.entries(words.settings).map(([name, { schema, ...setting }]) => [
        name,
        { ...setting, schema: readWhole(schema, `settings.${name}.schema`) },
      ]),
    ),
    meta: words.meta.map(({ schema, ...meta }) => ({
      ...meta,
      schema: readWhole(schema, `meta.${meta.key}.schema`),
    })),
    operations: words.operations.map((operation) => remoteOperation(operation, names, module)),
    migrations: words.migrations.map((id) => ({
      id,
      up: async (trx) => void (await module.ask('migration', [id, trx], null)),
    })),
    jobs: words.jobs.map((job) => remoteJob(job, module)),
    schedules: words.schedules.map((schedule) => ({
      ...schedule,
      run: async ({ signal }) => void (await module.ask('schedule', [schedule.id], signal)),
    })),
    pages: words.pages.map((page) => remotePage(page, names, module)),
    areas: words.areas.map((area) => ({
      ...area,
      find: async (path, call) =>
        (await module.ask('area', [area.id, path, ...callOf(call, names)], call.signal)) as AreaFile | null,
    })),
    shortcodes: words.shortcodes.map((shortcode) => remoteShortcode(shortcode, names, module)),
    pageAdditions: words.pageAdditions.map((addition) => remoteAddition(addition, names, module)),
    listeners: words.listeners.map((notice, index) => ({
      notice,
      react: async (given, tools) =>
        void (await module.ask('listener', [index, given, ...lend(tools)], null)),
    })),
    hooks: remoteHooks(words.hooks, module),
  };
}

const callOf = (call: Call, settings: readonly string[]): readonly unknown[] => [
  writeCall(call, settings),
  new Reference(call),
];

const lend = (tools: ListenerTools): readonly unknown[] => [tools.trx, actorOf(tools), new Reference(tools)];

const actorOf = ({ actor: { site, user, ip, requestId } }: ListenerTools) => ({
  site: { blog_id: site.blog_id, network_id: site.network_id },
  user: user && { id: user.id, login: user.login },
  ip,
  requestId,
});

function remoteOperation(
  { input, output, access, ...data }: OperationWords,
  settings: readonly string[],
  module: IsolatedModule,
): Operation {
  return {
    ...data,
    access: remoteAccess(access, (question, path, call, given) =>
      module.ask(question, [data.id, path, ...callOf(call, settings), ...given], null),
    ),
    input: Object.fromEntries(
      Object.entries(input).map(([part, schema]) => [part, readShape(schema)]),
    ) as never,
    ...(output ? { output: readShape(output) } : {}),
    handle: async (given: never, call) =>
      answerOf(
        (await module.ask('operate', [data.id, given, ...callOf(call, settings)], call.signal)) as Returned,
      ),
  };
}

type AskAccess = (
  question: 'check' | 'recognise',
  path: Readonly<Record<string, string>>,
  call: Call,
  given: readonly unknown[],
) => Promise<unknown>;

function remoteAccess(access: OperationWords['access'], ask: AskAccess): Operation['access'] {
  if ('checked' in access) {
    return {
      because: access.checked,
      check: async (call, path) => (await ask('check', path, call, [])) === true,
    };
  }
  if (!('secret' in access)) return access;
  const recognise: SecretDeclaration['recognise'] = async (presented, call, path) =>
    (await ask('recognise', path, call, [presented])) as SecretHolder<unknown> | null;
  return { ...access, secret: { ...access.secret, recognise } };
}

function answerOf(returned: Returned): unknown {
  switch (returned.kind) {
    case 'data':
      return returned.data;
    case 'page':
      return new Page(returned.body, returned.total);
    case 'stream':
      return new StreamAnswer(returned.source, returned.contentType, returned.headers);
    case 'answer':
      return new Answer(returned.status, answerOf(returned.data), returned.options);
  }
}

function remotePage(
  { submits, ...page }: ModuleWords['pages'][number],
  settings: readonly string[],
  module: IsolatedModule,
): SitePage {
  const ask = async (form: Readonly<Record<string, string>> | null, call: Call): Promise<PageAnswer> => {
    const args = [page.id, form, ...callOf(call, settings)];
    const { status, html, headers, cookies } = (await module.ask('page', args, call.signal)) as PageWords;
    return new PageAnswer(status, html === null ? null : new Html(html), headers, cookies);
  };
  return {
    ...page,
    show: (call) => ask(null, call),
    ...(submits ? { submit: (form: Readonly<Record<string, string>>, call: Call) => ask(form, call) } : {}),
  };
}

/** A lost worker is no fault of the one job that ran in it: it is tried again. */
function tryAgain(error: unknown): never {
  if (!isCoded(error, 'module_unavailable')) throw error;
  throw new TransientFailure('The worker of the module was lost.', { cause: error });
}

function remoteJob({ undoes, withdraws, ...job }: ModuleWords['jobs'][number], module: IsolatedModule): Job {
  const ask = (act: 'run' | 'undo', run: JobRun<never>): Promise<unknown> => {
    const { id, payload, site, userId } = run;
    const words = { id, payload, site, userId, cursor: run.cursor() };
    return module.ask('job', [job.id, act, words, new Reference(run)], run.signal).catch(tryAgain);
  };
  return {
    ...job,
    run: async (run) => (await ask('run', run)) as Readonly<Record<string, unknown>>,
    ...(undoes ? { undo: (run: JobRun<never>) => ask('undo', run) } : {}),
    ...(withdraws
      ? {
          withdraw: async (pending, { trx }: HookTools) =>
            void (await module.ask('withdraw', [job.id, pending, trx], null)),
        }
      : {}),
  };
}

const inTransaction = ['onEnabled', 'onDisabled', 'onSiteCreated', 'onSiteRemoved'] as const;

function remoteHooks(declared: readonly string[], module: IsolatedModule): Hooks {
  const hooks = inTransaction
    .filter((name) => declared.includes(name))
    .map((name) => [
      name,
      async (place: unknown, { trx }: HookTools) => void (await module.ask('hook', [name, place, trx], null)),
    ]);
  return {
    ...(Object.fromEntries(hooks) as Hooks),
    start: (tools) => module.start(tools),
    stop: () => module.stop(),
  };
}
