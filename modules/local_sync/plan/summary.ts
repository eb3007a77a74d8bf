import { yup } from '@lyceum/core';
import type { FileResult } from './file-result.ts';
import type { PageResult } from './page-result.ts';

const count = () => yup.number().integer().required();

export const SummaryRecord = yup.object({
  created: count(),
  updated: count(),
  unchanged: count(),
  deleted: count(),
  conflicts: count(),
  failed: count(),
  files_written: count(),
});

/** What a sync did, in numbers. */
export type Summary = yup.InferType<typeof SummaryRecord>;

/** `failed` counts pages and files. */
export function summaryOf(pages: readonly PageResult[], files: readonly FileResult[]): Summary {
  const counted = (action: PageResult['action']): number =>
    pages.filter((page) => page.action === action).length;
  const written = files.filter(({ action }) => action === 'create' || action === 'update');
  return {
    created: counted('create'),
    updated: counted('update'),
    unchanged: counted('unchanged'),
    deleted: counted('delete'),
    conflicts: counted('conflict'),
    failed: counted('error') + files.filter(({ action }) => action === 'error').length,
    files_written: written.length,
  };
}
