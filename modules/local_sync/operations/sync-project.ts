import { defineOperation, yup } from '@lyceum/core';
import { access, blogCodes, namespace } from '../access.ts';
import { ManifestBody, manifestOf } from '../manifest/manifest.ts';
import { FileResultRecord } from '../plan/file-result.ts';
import { PageResultRecord } from '../plan/page-result.ts';
import { SummaryRecord } from '../plan/summary.ts';
import { runPlan, runSync } from '../sync/run-sync.ts';

const hash = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';

export const syncProject = defineOperation({
  id: 'local_sync.sync-project',
  method: 'POST',
  path: `${namespace}/sync`,
  summary: 'Bring a site to the state of a local project, or plan it',
  description:
    'Send hashes with `dry_run` first: the answer says for which pages and files it needs contents. Each page is written for itself; what is wrong with one is told beside it and does not keep the others. A sync that broke off is finished by the same request again.',
  access,
  contract: true,
  site: 'selectable',
  blogCodes,
  input: { body: ManifestBody },
  maxBodyBytes: 64 * 1024 * 1024,
  timeoutMs: 300_000,
  output: yup.object({
    project: yup.string().required(),
    blog_id: yup.number().integer().required(),
    dry_run: yup.boolean().required(),
    sync_id: yup.string().nullable().defined(),
    pages: yup.array().of(PageResultRecord.required()).required(),
    files: yup.array().of(FileResultRecord.required()).required(),
    summary: SummaryRecord.required(),
  }),
  errors: ['local_sync_busy', 'storage_unavailable'],
  example: {
    body: {
      project: 'handbook',
      dry_run: true,
      pages: [{ key: 'index', hash, title: 'Handbook', slug: 'handbook' }],
      files: [],
    },
    answer: {
      project: 'handbook',
      blog_id: 1,
      dry_run: true,
      sync_id: null,
      pages: [
        {
          key: 'index',
          post_id: null,
          action: 'create',
          reason: null,
          needs_content: true,
          hash,
          document_hash: null,
          problems: [],
          error: null,
        },
      ],
      files: [],
      summary: {
        ...{ created: 1, updated: 0, unchanged: 0, deleted: 0, conflicts: 0, failed: 0 },
        files_written: 0,
      },
    },
  },
  handle: ({ body }, call) => {
    const manifest = manifestOf(body);
    return manifest.dryRun ? runPlan(call, manifest) : runSync(call, manifest);
  },
});
