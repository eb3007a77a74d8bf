import { readFile } from 'node:fs/promises';
import {
  Database,
  defineJob,
  defineModule,
  defineOperation,
  fail,
  Jobs,
  type Operation,
  on,
  word,
  yup,
} from '@lyceum/core';
import { clients } from './state.ts';

const text = yup.object({ said: yup.string().required() });
const said = { said: 'so' };
const anybody = { public: 'A test asks.' };

/** Ways to fail that are told to the client and count as nothing. */
const foreseen = defineOperation({
  id: 'test_breaker.foreseen',
  method: 'POST',
  path: 'test/breaker/v1/foreseen/{how}',
  access: anybody,
  input: { params: yup.object({ how: word('coded', 'sql', 'down').required() }) },
  output: text,
  errors: ['breaker_refused', 'rest_invalid_param'],
  handle: async ({ params }, call) => {
    if (params.how === 'coded') fail('breaker_refused');
    if (params.how === 'sql') await call.get(Database).knex.raw(`select 'x'::int`);
    throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  },
});

/** Looking at it in any way throws. */
const unreadable = new Proxy(
  {},
  {
    get: () => fail('nobody_knows'),
    getPrototypeOf: () => fail('nobody_knows'),
  },
);

/** What nobody waits for, left behind by a handler that answers. */
const strays: Readonly<Record<string, () => void>> = {
  rejection: () => void Promise.reject(new Error('floating')),
  nothing: () => void Promise.reject(null),
  // Neither has a frame of this file in its stack.
  file: () => void readFile('/nowhere/at/all'),
  unreadable: () => void Promise.reject(unreadable),
  unreadableLater: () =>
    void setTimeout(() => {
      throw unreadable;
    }, 1),
  exception: () => void setTimeout(() => fail('nobody_knows'), 1),
};

const stray = Object.entries(strays).map(([name, leave]) =>
  defineOperation({
    id: `test_breaker.stray-${name.toLowerCase()}`,
    method: 'POST',
    path: `test/breaker/v1/stray/${name.toLowerCase()}`,
    access: anybody,
    output: text,
    handle: () => {
      leave();
      return said;
    },
  }),
);

const checked = defineOperation({
  id: 'test_breaker.checked',
  method: 'GET',
  path: 'test/breaker/v1/checked',
  access: {
    check: () => {
      throw new Error('no opinion');
    },
    because: 'nobody passes',
  },
  output: text,
  handle: () => said,
});

const thrown = defineOperation({
  id: 'test_breaker.thrown',
  method: 'GET',
  path: 'test/breaker/v1/thrown',
  access: anybody,
  output: text,
  handle: () => {
    throw unreadable;
  },
});

const wordless = defineOperation({
  id: 'test_breaker.wordless',
  method: 'GET',
  path: 'test/breaker/v1/wordless',
  access: anybody,
  output: text,
  errors: ['breaker_refused'],
  // JSON has no such number.
  handle: () => fail('breaker_refused', { data: { amount: 1n } }),
});

const left = defineOperation({
  id: 'test_breaker.left',
  method: 'POST',
  path: 'test/breaker/v1/left',
  access: anybody,
  output: text,
  handle: (_input, call) =>
    new Promise((_resolve, reject) => {
      clients.waiting += 1;
      call.signal.addEventListener('abort', () => {
        clients.gone += 1;
        reject(call.signal.reason as Error);
      });
    }),
});

const breaking = defineJob<{ readonly how: string }>({
  id: 'test_breaker.break',
  title: 'Breaks',
  lane: 'quick',
  errors: ['breaker_refused'],
  run: async ({ payload }) => {
    if (payload.how === 'coded') fail('breaker_refused');
    if (payload.how === 'crash') throw null;
    return {};
  },
});

const enqueue = defineOperation({
  id: 'test_breaker.enqueue',
  method: 'POST',
  path: 'test/breaker/v1/jobs',
  access: { signedIn: true },
  input: { body: yup.object({ how: yup.string().required() }) },
  output: yup.object({ job_id: yup.string().required() }),
  handle: ({ body }, call) =>
    call.get(Database).transaction((trx) =>
      call.get(Jobs).enqueue(trx, {
        type: breaking.id,
        payload: body,
        site: call.site,
        userId: null,
        startAfterSeconds: 0,
      }),
    ),
});

const ping: Operation = defineOperation({
  id: 'test_breaker.ping',
  method: 'GET',
  path: 'test/breaker/v1/ping',
  access: anybody,
  output: text,
  handle: () => said,
});

/** Goes wrong in the ways that a test asks for. */
export default defineModule({
  id: 'test_breaker',
  title: 'Breaker',
  namespaces: ['test/breaker/v1'],
  defaultEnabled: true,
  errors: { breaker_refused: { status: 409, message: 'The breaker refuses.' } },
  operations: [foreseen, ...stray, checked, thrown, wordless, left, enqueue, ping],
  jobs: [breaking],
  listeners: [
    on('user.deleted', async () => {
      throw new Error('as the test wants it');
    }),
  ],
});
