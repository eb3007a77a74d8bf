import { Answer, Database, defineOperation, either, HostSettings, settingIs, yup } from '@lyceum/core';
import { statusIcon } from '../chunk-status.ts';
import { localTime } from '../local-time.ts';
import { metadataHtml } from '../metadata-html.ts';
import { readChunk } from '../store/one-chunk-store.ts';

const text = () => yup.string().defined();

const ChunkRecord = yup.object({
  id_chunk: yup.number().integer().required(),
  id_post: yup.number().integer().required(),
  status_icon: text(),
  content: text(),
  content_hash: text(),
  metadata_html: text(),
  created_at: text(),
  created_at_human: text(),
  word_count: yup.number().integer().required(),
});

/** What clients know as no chunk: an answer of its own, not the error of other routes. */
const noChunk = new Answer(404, { message: 'Not found' }, {});

export const getChunk = defineOperation({
  id: 'rag.get-chunk',
  method: 'GET',
  path: 'svctutor/rag/v1/chunk/{id_chunk}',
  summary: 'One chunk of the site, whole',
  description:
    'Where the site has none of this id the answer is 404 with `{"message": "Not found"}` and nothing else.',
  access: { can: 'manage_options' },
  when: settingIs('rag_export_enabled', true),
  contract: true,
  input: {
    params: yup.object({ id_chunk: yup.number().integer().min(1).max(Number.MAX_SAFE_INTEGER).required() }),
  },
  output: either(ChunkRecord, yup.object({ message: text() })),
  handle: async ({ params }, call) => {
    const row = await readChunk(call.get(Database), call.site.blog_id, params.id_chunk);
    if (!row) return noChunk;
    const { status, metadata, ...chunk } = row;
    return {
      ...chunk,
      status_icon: statusIcon(status),
      metadata_html: metadataHtml(metadata),
      created_at_human: localTime(
        chunk.created_at,
        call.get(HostSettings).value<string>(call.state, 'timezone'),
      ),
    };
  },
});
