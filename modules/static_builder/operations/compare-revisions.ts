import { Database, defineOperation, fail, id, yup } from '@lyceum/core';
import { Builds } from '../builds.ts';
import type { ChangedFile } from '../file-store.ts';
import { buildPath, findBuild, findErrors } from '../find-build.ts';
import { access, blogCodes } from '../operation-parts.ts';

const path = () => yup.string().required();

const Changes = yup.object({
  pages: yup
    .array()
    .of(yup.object({ page_id: yup.number().integer().required(), path: path() }).required())
    .required(),
  files: yup
    .array()
    .of(yup.object({ path: path(), bytes: yup.number().integer().required() }).required())
    .required(),
});

export const compareRevisions = defineOperation({
  id: 'static_builder.compare-revisions',
  method: 'GET',
  path: 'svclms/static-builder/v1/builds/{id}/diff',
  summary: 'What of the published files is different from an earlier revision',
  description:
    'Pages and other files that were added, removed or changed since revision `against`. Of the last ten published revisions enough is known for that.',
  access,
  site: 'selectable',
  blogCodes,
  input: { params: buildPath(), query: yup.object({ against: id().required() }) },
  output: yup.object({
    id: yup.number().integer().required(),
    revision: yup.number().integer().required(),
    against: yup.number().integer().required(),
    added: Changes.required(),
    removed: Changes.required(),
    changed: Changes.required(),
  }),
  errors: [...findErrors, 'svclms_static_builder_not_published', 'svclms_static_builder_revision_not_found'],
  handle: async ({ params, query: { against } }, call) => {
    const { knex } = call.get(Database);
    const { files } = call.get(Builds).parts;
    const build = await findBuild(call, params.id);
    const revision = build.published_revision ?? fail('svclms_static_builder_not_published');
    const isKnown = against <= revision && (await files.isKnown(knex, { ...build, revision: against }));
    if (!isKnown) fail('svclms_static_builder_revision_not_found');
    const changes = await files.compare(knex, { ...build, revision }, against);
    return { id: build.id, revision, against, ...sorted(changes) };
  },
});

const sorted = (changes: readonly ChangedFile[]) => ({
  added: shown(changes, 'added'),
  removed: shown(changes, 'removed'),
  changed: shown(changes, 'changed'),
});

function shown(changes: readonly ChangedFile[], wanted: ChangedFile['change']) {
  const these = changes.filter(({ change }) => change === wanted);
  return {
    pages: these.flatMap(({ page_id, path: at }) => (page_id === null ? [] : [{ page_id, path: at }])),
    files: these
      .filter(({ page_id }) => page_id === null)
      .map(({ path: at, bytes }) => ({ path: at, bytes })),
  };
}
