import { type Call, defineOperation, RecordWatch, reply, yup } from '@lyceum/core';
import { isActive, topicOf } from '../queue/entry.ts';
import { EntryRecord, presentEntries } from '../queue/entry-record.ts';
import { entryErrors, findEntry, keyText } from './find-entry.ts';

export const getEntry = defineOperation({
  id: 'media_converter.get-entry',
  method: 'GET',
  path: 'svc/media-converter/v1/queue/{key}',
  summary: 'One entry, at once or at its next change',
  description:
    'With `wait` the answer comes at the first change after the request, or after so many seconds.',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ key: keyText() }),
    query: yup.object({ wait: yup.number().integer().min(0).max(30).default(0) }),
  },
  output: EntryRecord,
  errors: [...entryErrors],
  // The longest wait, and what it takes to answer.
  timeoutMs: 60_000,
  handle: async ({ params, query }, call) => {
    const shown = query.wait === 0 ? await look(call, params.key) : await wait(call, params.key, query.wait);
    return reply(shown, { headers: { 'Cache-Control': 'no-store' } });
  },
});

async function look(call: Call, key: string) {
  const [shown] = await presentEntries(call, [await findEntry(call, key)]);
  return shown;
}

/** The watch begins before the first look, so that nothing between is missed. */
async function wait(call: Call, key: string, seconds: number) {
  const until = performance.now() + seconds * 1000;
  const watching = call.get(RecordWatch).watch(topicOf(key.toLowerCase()));
  try {
    let shown = await look(call, key);
    const before = JSON.stringify(shown);
    while (shown && isActive(shown.status) && JSON.stringify(shown) === before) {
      if (!(await watching.next(until - performance.now(), call.signal))) break;
      shown = await look(call, key);
    }
    return shown;
  } finally {
    watching.close();
  }
}
