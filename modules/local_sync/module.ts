import { Database, defineModule, Storage } from '@lyceum/core';
import { namespace } from './access.ts';
import { errors } from './errors.ts';
import { fileArea } from './file-area.ts';
import { createLocalProjects } from './migrations/001-local-projects.ts';
import { deleteProject } from './operations/delete-project.ts';
import { listPages } from './operations/list-pages.ts';
import { listProjects } from './operations/list-projects.ts';
import { syncProject } from './operations/sync-project.ts';
import { validatePages } from './operations/validate-pages.ts';
import { sweepFiles } from './schedules.ts';
import { settings } from './settings.ts';
import { FileStore } from './stores/file-store.ts';
import { PageStore } from './stores/page-store.ts';
import { ProjectStore } from './stores/project-store.ts';
import { StrayStore } from './stores/stray-store.ts';
import { StrayFiles } from './stray-files.ts';

export default defineModule({
  id: 'local_sync',
  title: 'Local projects',
  description: 'Pages and files of a folder on a machine brought to a site, page by page; and checked.',
  namespaces: [namespace],
  defaultEnabled: true,
  settings,
  errors,
  tables: {
    local_projects: { copy: 'none' },
    local_project_pages: { copy: 'none' },
    local_page_files: { copy: 'none' },
    // Pages of a copied site name its files; the project itself stays where it is.
    local_project_files: {
      copy: 'rows',
      with: 'files',
      refs: { project_id: 'module:local_projects' },
      files: { keys: ['file_key'] },
    },
    local_stray_files: { copy: 'none' },
  },
  migrations: [createLocalProjects],
  services: (provide) => [
    provide(ProjectStore, [], () => new ProjectStore()),
    provide(PageStore, [], () => new PageStore()),
    provide(FileStore, [Database], (db) => new FileStore(db)),
    provide(StrayStore, [], () => new StrayStore()),
    provide(
      StrayFiles,
      [Database, Storage, StrayStore],
      (db, storage, strays) => new StrayFiles(db, storage, strays),
    ),
  ],
  areas: [fileArea],
  operations: [listProjects, syncProject, validatePages, listPages, deleteProject],
  schedules: [sweepFiles],
});
