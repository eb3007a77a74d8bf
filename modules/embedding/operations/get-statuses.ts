import { asSent, defineOperation, either, record, yup } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';

/** A mebibyte of ids is some hundred thousand. */
const mostBytes = 1024 * 1024;

export const getStatuses = defineOperation({
  id: 'embedding.get-statuses',
  method: 'POST',
  path: 'svctutor/embedding/v1/statuses',
  summary: 'Where chunks stand on their way to a vector',
  description:
    '0 pending, 1 active, 2 indexing, -1 error, by id. What is no id of a chunk of the site is left out; an empty result is an empty array.',
  access: { can: 'manage_options' },
  contract: true,
  maxBodyBytes: mostBytes,
  input: { body: yup.object({ ids: asSent({ type: 'array', items: { type: 'integer', minimum: 1 } }) }) },
  output: yup.object({
    statuses: either(
      yup.array().of(yup.number().integer().required()).max(0).required(),
      record({ type: 'integer', enum: [-1, 0, 1, 2] }).required(),
    ),
  }),
  example: { body: { ids: [12, 13] }, answer: { statuses: { 12: 1, 13: -1 } } },
  handle: async ({ body }, call) => {
    const ids = idsIn(body.ids);
    const chunks = call.get(ChunkStore);
    if (!call.state.isOn('rag') || !(await chunks.find(call.site.blog_id))) return { statuses: [] };
    const found = await chunks.statuses(call.site.blog_id, ids);
    return { statuses: found.size === 0 ? [] : Object.fromEntries(found) };
  },
});

/** Whatever was sent: what can be the id of a chunk, each once. */
function idsIn(sent: unknown): number[] {
  const listed: readonly unknown[] = Array.isArray(sent) ? sent : [];
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) >= 1;
  return [...new Set(listed.filter(isId))];
}
