import { defineModule, defineOperation, yup } from '@lyceum/core';

export default defineModule({
  id: 'test_parent',
  title: 'Parent',
  namespaces: ['test/parent/v1'],
  operations: [
    defineOperation({
      id: 'test_parent.ping',
      method: 'GET',
      path: 'test/parent/v1/ping',
      summary: 'Answers',
      access: { public: 'A test asks.' },
      output: yup.object({ pong: yup.boolean().required() }),
      handle: () => ({ pong: true }),
    }),
  ],
});
