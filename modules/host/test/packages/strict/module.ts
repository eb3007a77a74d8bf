import { defineModule, fail, on } from '@lyceum/core';

/** Lets posts of one name not come out, and those of another not change at all once they are there. */
export default defineModule({
  id: 'test_strict',
  title: 'Strict',
  defaultEnabled: true,
  errors: { test_strict: { status: 409, message: 'Not that one.' } },
  errorsElsewhere: { 'host.change-post': ['test_strict'] },
  listeners: [
    on('post.writing', async ({ before, after }) => {
      if (after.title === 'Never out' && after.status === 'publish') fail('test_strict');
      if (after.title === 'Fixed' && before) fail('test_strict');
    }),
  ],
});
