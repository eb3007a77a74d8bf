import { type Call, Database } from '@lyceum/core';
import { servedPlace } from '../file-place.ts';
import { itemError } from '../item-errors.ts';
import { isPath } from '../manifest/check-path.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { FileIndex, fileUrl } from '../plan/file-index.ts';
import type { FileResult } from '../plan/file-result.ts';
import { fileResult, type PlannedFile, planFile } from '../plan/plan-file.ts';
import { FileStore, type ProjectFile } from '../stores/file-store.ts';
import type { FileVersion } from '../stores/page-store.ts';
import { storeFile } from './store-file.ts';
import type { Turn } from './turn.ts';

export interface ProjectFiles {
  /** Files that the manifest or its contents name, as pages will find them. */
  readonly files: FileIndex;
  /** Contents that differ from those that the project has. */
  readonly coming: readonly FileVersion[];
  readonly results: readonly FileResult[];
}

/** What would become of the files of a manifest. */
export async function planFiles(
  call: Call,
  manifest: Manifest,
  projectId: number | null,
  named: ReadonlySet<string>,
): Promise<ProjectFiles> {
  const present = projectId === null ? new Map() : await presentFiles(call, projectId, manifest, named);
  return takeFiles(call, manifest, present, async (planned) => {
    const { path, sha256 } = planned.entry;
    const file = { path, sha256, served: servedPlace(manifest.project, path, sha256) };
    return { result: fileResult(planned, null), file };
  });
}

/** Stores those whose contents came, one after the other. @throws `storage_unavailable`, `local_sync_busy` */
export async function storeFiles(
  call: Call,
  turn: Turn,
  manifest: Manifest,
  named: ReadonlySet<string>,
): Promise<ProjectFiles> {
  const present = await presentFiles(call, turn.project.project_id, manifest, named);
  return takeFiles(call, manifest, present, async (planned) => {
    if (!planned.content) {
      const error = itemError('content_required');
      const result = { ...fileResult(planned, null), action: 'error' as const, error };
      return { result, file: null };
    }
    const file = await storeFile(call, turn, planned.entry, planned.content);
    return { result: fileResult(planned, fileUrl(call, file.served)), file };
  });
}

type Present = ReadonlyMap<string, ProjectFile>;

async function presentFiles(
  call: Call,
  projectId: number,
  { files }: Manifest,
  named: ReadonlySet<string>,
): Promise<Present> {
  const paths = new Set([...files.map(({ path }) => path).filter(isPath), ...named]);
  const rows = await call.get(FileStore).at(call.get(Database).knex, projectId, [...paths]);
  return new Map(rows.map((row) => [row.path, row]));
}

/** @param take what is done with one whose content is another one than that of the project */
async function takeFiles(
  call: Call,
  manifest: Manifest,
  present: Present,
  take: (planned: PlannedFile) => Promise<{ readonly result: FileResult; readonly file: ProjectFile | null }>,
): Promise<ProjectFiles> {
  const files = new FileIndex(call);
  for (const file of present.values()) files.set(file);
  const coming: ProjectFile[] = [];
  const results: FileResult[] = [];
  for (const entry of manifest.files) {
    call.signal.throwIfAborted();
    const known = present.get(entry.path);
    const planned = await planFile(entry, known?.sha256 ?? null);
    if (planned.action === 'error' || planned.action === 'unchanged') {
      const url = planned.action === 'unchanged' && known ? fileUrl(call, known.served) : null;
      results.push(fileResult(planned, url));
      continue;
    }
    const { result, file } = await take(planned);
    results.push(result);
    if (file) files.set(file);
    if (file) coming.push(file);
  }
  return { files, coming, results };
}
