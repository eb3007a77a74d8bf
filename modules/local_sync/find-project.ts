import { type Call, Database, fail } from '@lyceum/core';
import { projectForm } from './manifest/entries.ts';
import { type Project, ProjectStore } from './stores/project-store.ts';

/** @throws `local_sync_project_not_found` */
export async function findProject(call: Call, word: string): Promise<Project> {
  if (!projectForm.test(word)) fail('local_sync_project_not_found');
  const found = await call.get(ProjectStore).find(call.get(Database).knex, call.site.blog_id, word);
  return found ?? fail('local_sync_project_not_found');
}
