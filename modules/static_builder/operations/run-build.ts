import { Addresses, accepted, Database, defineOperation } from '@lyceum/core';
import { BuildRecord, presentBuild } from '../build-record.ts';
import { Builds } from '../builds.ts';
import { buildPath, findErrors, lockBuild } from '../find-build.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const runBuild = defineOperation({
  id: 'static_builder.run-build',
  method: 'POST',
  path: 'svclms/static-builder/v1/builds/{id}/run',
  summary: 'Build the course anew; what is published stays until it is done',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: { params: buildPath() },
  success: 202,
  output: BuildRecord,
  errors: [
    ...findErrors,
    'svclms_static_builder_busy',
    'svclms_static_builder_page_cache_rebuild',
    'svclms_static_builder_no_pages',
  ],
  handle: async ({ params }, call) => {
    const concurrency = call.setting<number>('concurrency');
    const shown = await call.get(Database).transaction(async (trx) => {
      const build = await lockBuild(trx, call, params.id);
      return presentBuild(call, await call.get(Builds).run(trx, call, build, concurrency), trx);
    });
    const route = `svclms/static-builder/v1/builds/${shown.id}`;
    return accepted(shown, call.get(Addresses).route(call.site, route));
  },
});
