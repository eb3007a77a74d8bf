import { Database, defineOperation, yup } from '@lyceum/core';
import { Builds, refuseActive } from '../builds.ts';
import { buildPath, findErrors, lockBuild } from '../find-build.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const deleteBuild = defineOperation({
  id: 'static_builder.delete-build',
  method: 'DELETE',
  path: 'svclms/static-builder/v1/builds/{id}',
  summary: 'Delete a build with its files',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: { params: buildPath() },
  output: yup.object({
    deleted: yup.boolean().required(),
    id: yup.number().integer().required(),
  }),
  errors: [
    ...findErrors,
    'svclms_static_builder_busy',
    'svclms_static_builder_page_cache_rebuild',
    'svclms_static_builder_delete_failed',
  ],
  handle: ({ params }, call) =>
    call.get(Database).transaction(async (trx) => {
      const build = await lockBuild(trx, call, params.id);
      refuseActive(build);
      await call.get(Builds).remove(trx, call, build);
      return { deleted: true, id: build.id };
    }),
});
