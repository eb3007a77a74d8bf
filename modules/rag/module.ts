import { defineModule } from '@lyceum/core';
import { createChunks } from './migrations/001-create-chunks.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'rag',
  title: 'Retrieval',
  description: 'The store of text chunks and the search over it, and a look into it for administrators.',
  namespaces: ['svctutor/rag/v1'],
  defaultEnabled: true,
  settings,
  tables: { rag_chunks: { copy: 'none' }, rag_stores: { copy: 'none' } },
  migrations: [createChunks],
  services,
});
