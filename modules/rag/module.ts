import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { createChunks } from './migrations/001-create-chunks.ts';
import { getChunk } from './operations/get-chunk.ts';
import { getTable, postTable } from './operations/show-table.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'rag',
  title: 'Retrieval',
  description: 'The store of text chunks and the search over it, and a look into it for administrators.',
  namespaces: ['svctutor/rag/v1'],
  defaultEnabled: true,
  settings,
  errors,
  tables: { rag_chunks: { copy: 'none' }, rag_stores: { copy: 'none' } },
  migrations: [createChunks],
  operations: [getTable, postTable, getChunk],
  services,
});
