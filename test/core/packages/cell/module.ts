import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  audit,
  created,
  Database,
  defineMigration,
  defineModule,
  defineOperation,
  definePage,
  defineSchedule,
  fail,
  html,
  id,
  Jobs,
  json,
  leadTo,
  on,
  page,
  pageQuery,
  Storage,
  showPage,
  stream,
  word,
  yup,
} from '@lyceum/core';
import { breaks } from './breaks.ts';
import { count } from './count.ts';
import { shelf } from './shelf.ts';

const createNotes = defineMigration({
  id: '001-notes',
  up: async (trx) => {
    await trx.raw(`create table test_cell_notes (
      id integer generated always as identity primary key, blog_id integer not null, note text not null)`);
  },
});

/** A service of the module's own; it lives in the worker. */
class Notes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(blogId: number, note: string): Promise<number> {
    const [row] = (await this.#db
      .knex('test_cell_notes')
      .insert({ blog_id: blogId, note })
      .returning('id')) as { id: number }[];
    return row?.id ?? 0;
  }
}

const anybody = { public: 'A test asks.' };
const text = yup.object({ said: yup.string().required() });
const base = 'test/cell/v1';

const facts = defineOperation({
  id: 'test_cell.facts',
  method: 'GET',
  path: `${base}/facts`,
  access: anybody,
  output: yup.object({
    process: yup.number().required(),
    site: yup.number().required(),
    user: yup.string().nullable().defined(),
    can: yup.array().of(yup.boolean().required()).required(),
    limit: yup.number().required(),
    key: yup.string().nullable().defined(),
    agent: yup.string().required(),
    header: yup.string().defined(),
    secret: yup.string().defined(),
    on: yup.array().of(yup.boolean().required()).required(),
    now: yup.string().required(),
    free: json(),
  }),
  handle: (_input, call) => ({
    process: process.pid,
    site: call.site.blog_id,
    user: call.user?.login ?? null,
    can: ['use_cell', 'edit_posts', 'manage_network'].map((name) => call.can(name)),
    limit: call.setting('limit'),
    key: call.setting('key'),
    agent: call.userAgent,
    header: call.header('x-probe'),
    secret: call.header('authorization'),
    on: ['test_cell', 'nothing'].map((name) => call.state.isOn(name)),
    now: call.now().toISOString(),
    free: { at: new Date(0), list: [1, null] },
    hidden: 'never listed',
  }),
});

const echo = defineOperation({
  id: 'test_cell.echo',
  method: 'POST',
  path: `${base}/items/{id}`,
  access: { can: 'use_cell' },
  input: {
    params: yup.object({ id: id().required() }),
    query: yup.object({
      flag: yup.boolean().default(false),
      words: yup.array().of(yup.string().required()).max(2),
    }),
    body: yup.object({
      name: yup
        .string()
        .required()
        .max(5)
        .matches(/^[a-z]+$/),
      even: yup.number().test('even', 'must be even', (given) => given === undefined || given % 2 === 0),
      kind: word('a', 'b').default('a'),
    }),
  },
  success: 201,
  output: json(),
  errors: ['cell_refused'],
  handle: ({ params, query, body }, call) => {
    if (body.name === 'no') fail('cell_refused', { data: { name: body.name } });
    return created({ params, query, body }, `${call.site.url}items/${params.id}`);
  },
});

const checked = defineOperation({
  id: 'test_cell.checked',
  method: 'GET',
  path: `${base}/checked/{name}`,
  access: {
    check: (call, path) => path.name === 'open' || call.user?.login === path.name,
    because: 'the name',
  },
  input: { params: yup.object({ name: yup.string().required() }) },
  output: text,
  handle: ({ params }) => ({ said: params.name }),
});

const list = defineOperation({
  id: 'test_cell.list',
  method: 'GET',
  path: `${base}/items`,
  access: anybody,
  input: { query: yup.object(pageQuery()) },
  paged: true,
  output: yup
    .array()
    .of(yup.object({ id: id().required() }))
    .required(),
  handle: ({ query }) =>
    page(
      Array.from({ length: query.per_page }, (_, at) => ({ id: (query.page - 1) * query.per_page + at + 1 })),
      45,
    ),
});

const big = defineOperation({
  id: 'test_cell.stream',
  method: 'GET',
  path: `${base}/stream`,
  access: anybody,
  handle: async () => {
    async function* produce() {
      for (let line = 0; line < 2_000; line += 1) yield `${String(line).padStart(99, '0')}\n`;
    }
    return stream(Readable.from(produce()), 'text/plain', { 'X-Lines': '2000' });
  },
});

const files = defineOperation({
  id: 'test_cell.files',
  method: 'POST',
  path: `${base}/files`,
  access: { can: 'use_cell' },
  multipart: { file: 'file' },
  errors: ['rest_body_too_large'],
  output: yup.object({ bytes: yup.number().required(), said: yup.string().required() }),
  handle: async ({ file }, call) => {
    const key = `sites/${call.site.blog_id}/cell/file.txt`;
    const storage = call.get(Storage);
    await storage.write(key, createReadStream(file?.path ?? ''), { limit: 1_000, contentType: 'text/plain' });
    const read = await storage.read(key);
    const chunks: Uint8Array[] = [];
    for await (const chunk of read?.stream ?? []) chunks.push(chunk as Uint8Array);
    return { bytes: file?.bytes ?? 0, said: Buffer.concat(chunks).toString() };
  },
});

const services = defineOperation({
  id: 'test_cell.services',
  method: 'POST',
  path: `${base}/services`,
  access: { can: 'use_cell' },
  input: { body: yup.object({ note: yup.string().required(), breaks: yup.boolean().default(false) }) },
  output: yup.object({
    note: yup.number().required(),
    job: yup.string().required(),
    posts: yup.number().required(),
  }),
  handle: async ({ body }, call) => {
    const note = await call.get(Notes).add(call.site.blog_id, body.note);
    const job = await call.get(Database).transaction(async (trx) => {
      await trx('test_cell_notes').insert({ blog_id: call.site.blog_id, note: `${body.note} twice` });
      await audit(trx, call, {
        module: 'test_cell',
        action: 'cell.note',
        subject: `note:${note}`,
        to: body.note,
      });
      const row = await call.get(Jobs).enqueue(trx, {
        type: 'test_cell.count',
        payload: { note: body.note },
        site: call.site,
        userId: null,
        startAfterSeconds: 0,
      });
      if (body.breaks) throw new Error('as the test wants it');
      return row;
    });
    const posts = await call.get(Jobs).find(job.job_id);
    return { note, job: job.job_id, posts: posts ? 1 : 0 };
  },
});

const wait = defineOperation({
  id: 'test_cell.wait',
  method: 'POST',
  path: `${base}/wait`,
  access: anybody,
  input: { body: yup.object({ mark: yup.string().required() }) },
  output: text,
  handle: async ({ body }, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await writeFile(body.mark, (signal.reason as Error).name);
    return { said: 'never heard' };
  },
});

export default defineModule({
  id: 'test_cell',
  title: 'Cell',
  namespaces: [base],
  capabilities: { use_cell: { title: 'Use the cell', roles: ['editor', 'administrator'] } },
  settings: {
    limit: { schema: yup.number().integer().min(1).max(50).required(), default: 10, scope: 'site' },
    key: { schema: yup.string().max(100), default: null, scope: 'site', secret: true },
  },
  errors: { cell_refused: { status: 409, message: 'The cell refuses.' } },
  errorsElsewhere: { 'host.delete-user': ['cell_refused'] },
  tables: { test_cell_notes: { copy: 'rows' } },
  migrations: [createNotes],
  operations: [facts, echo, checked, list, big, files, services, ...breaks, wait],
  pages: [
    definePage({
      id: 'test_cell.page',
      path: 'cell',
      title: 'Cell',
      show: (call) =>
        showPage(html`<p>${call.site.title}</p>`, { status: 200, policy: "default-src 'none'" }),
      submit: (form) => leadTo(`/cell?word=${encodeURIComponent(form.word ?? '')}`, []),
    }),
  ],
  areas: [shelf],
  jobs: [count],
  schedules: [
    defineSchedule({
      id: 'test_cell.tick',
      title: 'Notes its thread',
      everySeconds: 86_400,
      run: async ({ get }) => void (await get(Notes).add(1, `tick ${process.pid}`)),
    }),
  ],
  listeners: [
    on('user.deleted', async ({ userId }, { trx, actor, setting }) => {
      const note = `user ${userId} by ${actor.user?.login} at ${await setting('limit')}`;
      await trx('test_cell_notes').insert({ blog_id: 1, note });
      if ((await setting<number>('limit')) === 50) fail('cell_refused');
    }),
  ],
  services: (provide) => [provide(Notes, [Database], (db) => new Notes(db))],
  hooks: {
    onEnabled: async ({ scope }, { trx }) => {
      await trx.transaction((inner) =>
        inner('test_cell_notes').insert({ blog_id: 1, note: `enabled for the ${scope}` }),
      );
    },
    start: ({ log }) => log.info('the cell starts'),
  },
});
