import { defineOperation, fail, yup } from '@lyceum/core';

/** Ways to end a worker, and to go wrong without ending it. */
const lost: Readonly<Record<string, () => unknown>> = {
  loop: () => {
    for (;;);
  },
  leak: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(new Array(1_000).fill(kept.length));
  },
  buffers: () => {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(1_000_000, 1));
  },
  exit: () => process.exit(0),
  throw: () => {
    throw null;
  },
  unreadable: () => {
    throw Object.create(null, { message: { get: () => fail('nobody_knows') } });
  },
  wordless: () => fail('cell_refused', { data: { amount: 1n } }),
  unfit: () => ({ said: 5 }),
  never: () => new Promise(() => undefined),
  stray: () => {
    void Promise.reject(new Error('floating'));
    setTimeout(() => fail('nobody_knows'), 1);
    return { said: 'so' };
  },
};

export const breaks = Object.entries(lost).map(([name, act]) =>
  defineOperation({
    id: `test_cell.break-${name}`,
    method: 'POST',
    path: `test/cell/v1/break/${name}`,
    access: { public: 'A test asks.' },
    timeoutMs: name === 'never' ? 100 : 20_000,
    output: yup.object({ said: yup.string().required() }),
    handle: act,
  }),
);
