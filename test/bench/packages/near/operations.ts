import { defineOperation, id, type Operation, yup } from '@lyceum/core';

const access = { public: 'A bench asks.' };

/** The same operations for a module near and far: a small answer, and ways to harm others. */
export const operationsOf = (where: 'near' | 'far'): readonly Operation[] => [
  defineOperation({
    id: `bench_${where}.read`,
    method: 'GET',
    path: `bench/${where}/v1/items/{id}`,
    access,
    input: { params: yup.object({ id: id().required() }) },
    output: yup.object({ id: id().required(), title: yup.string().required(), site: id().required() }),
    handle: ({ params }, call) => ({ id: params.id, title: `Item ${params.id}`, site: call.site.blog_id }),
  }),
  defineOperation({
    id: `bench_${where}.loop`,
    method: 'POST',
    path: `bench/${where}/v1/loop`,
    access,
    handle: () => {
      for (;;);
    },
  }),
  defineOperation({
    id: `bench_${where}.leak`,
    method: 'POST',
    path: `bench/${where}/v1/leak`,
    access,
    handle: () => {
      const kept: unknown[] = [];
      for (;;) kept.push({ at: kept.length, text: `number ${kept.length}` });
    },
  }),
];
