import { yup } from '@lyceum/core';
import { type FileEntry, fileList, pageList, projectForm } from './entries.ts';
import { type SentPage, sentPage } from './sent-page.ts';

/** A folder on a client's machine, as it tells of it. */
export interface Manifest {
  readonly project: string;
  readonly name: string | null;
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  readonly deleteMissing: boolean;
  readonly pages: readonly SentPage[];
  readonly files: readonly FileEntry[];
}

export const ManifestBody = yup.object({
  project: yup.string().matches(projectForm).required(),
  name: yup.string().min(1).max(200),
  blog_id: yup.number().integer(),
  dry_run: yup.boolean().default(false),
  on_conflict: yup.string().oneOf(['skip', 'overwrite']).default('skip'),
  delete_missing: yup.boolean().default(false),
  pages: pageList(),
  files: fileList(),
});

export const manifestOf = (body: yup.InferType<typeof ManifestBody>): Manifest => ({
  project: body.project,
  name: body.name ?? null,
  dryRun: body.dry_run,
  overwrite: body.on_conflict === 'overwrite',
  deleteMissing: body.delete_missing,
  pages: body.pages.map(sentPage),
  files: body.files,
});
