import { audit, type Call, Database, defineOperation, rawText, yup } from '@lyceum/core';
import { access, blogCodes, namespace } from '../access.ts';
import { findProject } from '../find-project.ts';
import { longestToldPath } from '../manifest/entries.ts';
import { FileStore } from '../stores/file-store.ts';
import { ProjectStore } from '../stores/project-store.ts';
import { StrayFiles } from '../stray-files.ts';
import { aloneWith } from '../sync/turn.ts';

export const deleteProject = defineOperation({
  id: 'local_sync.delete-project',
  method: 'DELETE',
  path: `${namespace}/projects/{project}`,
  summary: 'Forget a project and remove its files; its pages stay on the site',
  access,
  site: 'selectable',
  blogCodes,
  input: { params: yup.object({ project: rawText(longestToldPath).required() }) },
  output: yup.object({ deleted: yup.boolean().required(), project: yup.string().required() }),
  errors: ['local_sync_project_not_found', 'local_sync_busy'],
  example: { answer: { deleted: true, project: 'handbook' } },
  handle: async ({ params }, call) => {
    const { project } = await findProject(call, params.project);
    const keys = await aloneWith(call, project, () => forget(call, project));
    await call.get(StrayFiles).removeNow(keys);
    return { deleted: true, project };
  },
});

/** Keys of its files, which nobody can reach any more. */
async function forget(call: Call, word: string): Promise<string[]> {
  const { project_id } = await findProject(call, word);
  return call.get(Database).transaction(async (trx) => {
    const keys = await call.get(FileStore).release(trx, project_id);
    await call.get(ProjectStore).remove(trx, project_id);
    await audit(trx, call, {
      module: 'local_sync',
      action: 'local_sync.delete_project',
      subject: `local_project:${project_id}`,
      from: { project: word, files: keys.length },
    });
    return keys;
  });
}
