import { setTimeout as wait } from 'node:timers/promises';
import {
  callerOf,
  Database,
  defineJob,
  defineMigration,
  defineModule,
  defineOperation,
  defineSchedule,
  Jobs,
  yup,
} from '@lyceum/core';

const createTools = defineMigration({
  id: '001-tools',
  up: async (trx) => {
    await trx.raw(`
      create table shed_tools (
        id integer generated always as identity primary key,
        blog_id integer not null, file_key text, name text not null);
      create table shed_old_names (id integer primary key);
    `);
  },
});

const rename = defineMigration({
  id: '002-names',
  up: async (trx) => {
    await trx.raw(`alter table shed_old_names rename to shed_names;
      alter table shed_names add column tool_id integer references shed_tools`);
  },
});

const hold = defineJob({
  id: 'test_shed.hold',
  title: 'Works until it is told to stop',
  run: async ({ signal }) => {
    await wait(60_000, undefined, { signal });
    return {};
  },
});

const start = defineOperation({
  id: 'test_shed.start',
  method: 'POST',
  path: 'test/shed/v1/jobs',
  access: { signedIn: true },
  output: yup.object({ job_id: yup.string().required() }),
  handle: (_input, call) =>
    call.get(Database).transaction((trx) =>
      call.get(Jobs).enqueue(trx, {
        type: hold.id,
        payload: {},
        site: call.site,
        userId: callerOf(call).id,
        startAfterSeconds: 0,
      }),
    ),
});

/** Keeps something of every kind. */
export default defineModule({
  id: 'test_shed',
  title: 'Shed',
  namespaces: ['test/shed/v1'],
  settings: {
    size: { schema: yup.number().integer(), default: 1, scope: 'site' },
    place: { schema: yup.string(), default: '', scope: 'network' },
  },
  postTypes: [{ id: 'tool', title: 'Tool', capabilities: 'post', hierarchical: false, duplicable: true }],
  taxonomies: [{ id: 'tool_kind', title: 'Kind', scope: 'site', hierarchical: false, namesMayRepeat: false }],
  meta: [{ on: 'post', of: ['post'], key: 'shed_mark', schema: yup.string() }],
  // Its other table is known by the step that made it.
  tables: { shed_tools: { copy: 'none', files: { keys: ['file_key'], folder: 'shed/{id}' } } },
  migrations: [createTools, rename],
  operations: [start],
  jobs: [hold],
  schedules: [
    defineSchedule({
      id: 'test_shed.tidy',
      title: 'Tidies',
      everySeconds: 86_400,
      run: async () => undefined,
    }),
  ],
  hooks: {
    onSiteCreated: async ({ blog_id }, { trx }) => {
      await trx('shed_tools').insert({ blog_id, name: 'broom' });
    },
  },
});
