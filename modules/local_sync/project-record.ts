import { list, time, word, yup } from '@lyceum/core';
import { SummaryRecord } from './plan/summary.ts';
import type { ProjectItem } from './stores/item-store.ts';
import type { ListedProject } from './stores/project-store.ts';

const count = () => yup.number().integer().required();

export const ItemRecord = yup.object({
  key: yup.string().required(),
  post_id: count(),
  post_type: yup.string().required(),
  slug: yup.string().defined(),
  editor: word('pagebuilder', 'block', 'turbo').required(),
  source_hash: yup.string().required(),
  document_hash: yup.string().required(),
  current_hash: yup.string().nullable().defined(),
  state: word('in_sync', 'changed_on_site', 'missing_on_site').required(),
});

export const ProjectRecord = yup.object({
  project: yup.string().required(),
  name: yup.string().required(),
  blog_id: count(),
  pages: count(),
  files: count(),
  /** Of its files. */
  bytes: count(),
  created_at: time().required(),
  last_sync_at: time().nullable().defined(),
  last_sync_id: yup.string().nullable().defined(),
  summary: SummaryRecord.nullable().defined(),
  items: yup.array().of(ItemRecord.required()),
});

export const includeField = () => list(word('items').required(), 1);

/** @param items null where nobody asked for them */
export const presentProject = (
  { last_summary, ...project }: ListedProject,
  items: readonly ProjectItem[] | null,
): object => ({ ...project, summary: last_summary, ...(items ? { items } : {}) });

export const itemExample = {
  key: 'index',
  post_id: 12,
  post_type: 'page',
  slug: 'handbook',
  editor: 'pagebuilder',
  source_hash: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  document_hash: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  current_hash: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  state: 'in_sync',
} as const;

export const projectExample = {
  project: 'handbook',
  name: 'Handbook',
  blog_id: 1,
  pages: 1,
  files: 0,
  bytes: 0,
  created_at: '2026-05-04T09:30:00.000Z',
  last_sync_at: '2026-05-04T09:30:00.000Z',
  last_sync_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  summary: {
    ...{ created: 1, updated: 0, unchanged: 0, deleted: 0, conflicts: 0, failed: 0 },
    files_written: 0,
  },
} as const;
