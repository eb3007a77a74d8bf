import { Database, defineOperation } from '@lyceum/core';
import { BuildRecord, presentBuild } from '../build-record.ts';
import { Builds } from '../builds.ts';
import { buildPath, findBuild, findErrors } from '../find-build.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const stopBuild = defineOperation({
  id: 'static_builder.stop-build',
  method: 'POST',
  path: 'svclms/static-builder/v1/builds/{id}/stop',
  summary: 'Stop a run; what is published stays',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: { params: buildPath() },
  output: BuildRecord,
  errors: [...findErrors, 'svclms_static_builder_cannot_stop'],
  handle: ({ params }, call) =>
    call.get(Database).transaction(async (trx) => {
      // Not locked: the job is locked before the build.
      const seen = await findBuild(call, params.id, trx);
      return presentBuild(call, await call.get(Builds).stop(trx, call, seen), trx);
    }),
});
