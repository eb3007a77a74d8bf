import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { hostCapabilities } from '../auth/capabilities.ts';
import { announceCopies, registerResolveHooks } from '../discovery/resolve-hooks.ts';
import { checkDeclaration } from '../registry/check-declaration.ts';
import { specOf } from '../registry/spec.ts';
import { Line } from './line.ts';
import { type ModuleWords, writeModule } from './module-words.ts';
import { writeThrown } from './thrown.ts';
import { WorkerModule } from './worker-module.ts';

interface Package {
  readonly id: string;
  readonly main: string;
  readonly folder: string;
}

let module: WorkerModule | null = null;
const loaded = (): WorkerModule => module ?? fail();
function fail(): never {
  throw new Error('The module is not loaded.');
}

async function load(found: Package, folders: ReadonlyMap<string, string>): Promise<ModuleWords> {
  registerResolveHooks();
  const all = new Map([...folders, [found.id, found.folder]]);
  announceCopies(new Map([...all].map(([id, folder]) => [id, { folder, number: null }])));
  const exported = (await import(pathToFileURL(found.main).href)) as { default?: unknown };
  checkDeclaration(exported.default, found.id, hostCapabilities);
  const words = writeModule(exported.default);
  module = new WorkerModule(specOf(exported.default), line, log);
  return words;
}

const line: Line = new Line(
  {
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    listen: (listener) => void process.on('message', listener as never),
  },
  {
    load: ([found, folders]) => load(found as Package, folders as ReadonlyMap<string, string>),
    begin: ([url]) => loaded().begin(url as string),
    operate: ([id, input, words, call], signal) =>
      loaded().operate(id as string, input, words as never, call, signal),
    check: ([id, path, words, call], signal) =>
      loaded().check(id as string, path as never, words as never, call, signal),
    recognise: ([id, path, words, call, secret], signal) =>
      loaded().recognise(id as string, path as never, words as never, call, signal, secret as string),
    page: ([id, form, words, call], signal) =>
      loaded().page(id as string, form as never, words as never, call, signal),
    area: ([id, path, words, call], signal) =>
      loaded().area(id as string, path as string, words as never, call, signal),
    shortcode: ([tag, use, words], signal) =>
      loaded().shortcode(tag as string, use as never, words as never, signal),
    addition: ([id, post, words], signal) =>
      loaded().addition(id as string, post as never, words as never, signal),
    migration: ([id, trx]) => loaded().migrate(id as string, trx as Knex.Transaction),
    job: ([id, act, words, run], signal) =>
      loaded().job(id as string, act as never, words as never, run, signal),
    withdraw: ([id, pending, trx]) =>
      loaded().withdraw(id as string, pending as never, trx as Knex.Transaction),
    schedule: ([id], signal) => loaded().schedule(id as string, signal),
    listener: ([index, notice, trx, actor, tools]) =>
      loaded().listen(index as number, notice as never, trx as Knex.Transaction, actor as never, tools),
    hook: ([name, place, trx]) => loaded().hook(name as string, place, trx as Knex.Transaction | undefined),
  },
  { ping: () => line.tell('pong') },
);

/** Lines go to the host's log, which decides by its own level what it keeps. */
const log = pino({ level: 'trace', base: null }, { write: (text: string) => line.tell('log', text) });

// The host is gone, or ends this worker.
process.on('disconnect', () => process.exit(0));

// As in the host's process: charged to the module, and everything goes on.
process.on('unhandledRejection', (error) => line.tell('stray', 'a floating rejection', writeThrown(error)));
process.on('uncaughtException', (error) => line.tell('stray', 'an uncaught exception', writeThrown(error)));

line.tell('ready');
