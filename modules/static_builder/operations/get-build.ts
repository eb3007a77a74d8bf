import { type Call, defineOperation, etagOf, RecordWatch, reply, yup } from '@lyceum/core';
import { topicOf } from '../build.ts';
import { BuildRecord, presentBuild } from '../build-record.ts';
import { buildPath, findBuild, findErrors, readBuildId } from '../find-build.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const getBuild = defineOperation({
  id: 'static_builder.get-build',
  method: 'GET',
  path: 'svclms/static-builder/v1/builds/{id}',
  summary: 'One build, at once or at its next change',
  description:
    'With `wait` the answer comes at the first change of status, progress or log after the request, or after so many seconds. A build that has ended is answered at once.',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: {
    params: buildPath(),
    query: yup.object({ wait: yup.number().integer().min(0).max(30).default(0) }),
  },
  output: BuildRecord,
  errors: [...findErrors],
  // The longest wait, and what it takes to answer.
  timeoutMs: 60_000,
  handle: async ({ params, query }, call) => {
    const shown = query.wait === 0 ? await look(call, params.id) : await wait(call, params.id, query.wait);
    return reply(shown, { headers: { ETag: etagOf(JSON.stringify(shown)), 'Cache-Control': 'no-store' } });
  },
});

const look = async (call: Call, id: string) => presentBuild(call, await findBuild(call, id));

/** The watch begins before the first look, so that nothing between is missed. */
async function wait(call: Call, id: string, seconds: number) {
  const until = performance.now() + seconds * 1000;
  const watching = call.get(RecordWatch).watch(topicOf(readBuildId(id)));
  try {
    let shown = await look(call, id);
    const before = JSON.stringify(shown);
    while (!shown.terminal && JSON.stringify(shown) === before) {
      if (!(await watching.next(until - performance.now(), call.signal))) break;
      shown = await look(call, id);
    }
    return shown;
  } finally {
    watching.close();
  }
}
