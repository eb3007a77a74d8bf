import { JobRecord, word, yup } from '@lyceum/core';

const count = () => yup.number().integer().required();
const text = () => yup.string().defined();

/** What an administrator is told of the site's store and of whoever makes its vectors. */
export const DiagnosisRecord = yup.object({
  available: yup.boolean().required(),
  store: yup
    .object({
      available: yup.boolean().required(),
      backend: word('pgvector', 'sql').nullable().defined(),
      extension_version: text().nullable(),
      embedder: text().nullable(),
      dimensions: yup.number().integer().nullable().defined(),
      stale: yup.boolean().required(),
    })
    .required(),
  provider: yup
    .object({
      kind: word('builtin', 'openai').required(),
      model: text(),
      host: text().nullable(),
      configured: yup.boolean().required(),
      reachable: yup.boolean().nullable().defined(),
      latency_ms: yup.number().integer().nullable().defined(),
      dimensions: yup.number().integer().nullable().defined(),
      error: yup.object({ code: text(), message: text() }).nullable().defined(),
    })
    .required(),
  chunks: yup
    .object({ total: count(), pending: count(), active: count(), indexing: count(), error: count() })
    .required(),
  posts: yup.object({ eligible: count(), chunked: count(), changed: count() }).required(),
  last_sync: JobRecord.nullable().defined(),
  running: text().nullable(),
  checks: yup
    .array()
    .of(yup.object({ id: text(), ok: yup.boolean().required(), message: text() }))
    .required(),
});
