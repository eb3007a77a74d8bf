import { createHash } from 'node:crypto';
import { State } from '@lyceum/core';
import { type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';
import { ChunkStore, type EmbeddingPlan, type NewChunk, QueryVectors, Retrieval } from '@lyceum/module/rag';

/** A host with the store, and what tests put into it as the module that embeds would. */
export interface StoreKit {
  readonly lyceum: TestHost;
  readonly admin: Client;
  readonly retrieval: Retrieval;
  readonly store: ChunkStore;
  readonly vectors: QueryVectors;
  /** Publishes a page with these texts as its chunks; its id and the ids of the chunks. */
  publish(page: TestPage): Promise<{ readonly id: number; readonly chunks: number[] }>;
  /** Sets settings of the module on the main site. */
  settings(given: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface TestPage {
  readonly title: string;
  readonly texts: readonly (
    | string
    | { readonly heading_path: readonly string[]; readonly content: string }
  )[];
  readonly lang?: string;
  /** Site; default the main one. */
  readonly blogId?: number;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export function newChunk(content: string, heading_path: readonly string[]): NewChunk {
  return {
    content,
    content_hash: md5(content),
    embed_hash: md5(`${heading_path.join('\n')}\n${content}`),
    heading_path,
    token_count: Math.ceil(Buffer.byteLength(content) / 4),
  };
}

/** Vectors are wanted of a test's own embedder. */
export const plan: EmbeddingPlan = { wanted: true, anew: false };

export async function startStoreKit(options: TestHostOptions = {}): Promise<StoreKit> {
  const lyceum = await startTestHost({ modules: ['rag', 'lms'], ...options });
  const admin = lyceum.as(await lyceum.make.admin());
  const { services, modules, db } = lyceum.host;
  const spec = modules.get('rag')?.spec;
  if (!spec) throw new Error('The module "rag" is not installed.');
  const get = services.resolve(spec);
  const store = get(ChunkStore);
  return {
    lyceum,
    admin,
    store,
    retrieval: get(Retrieval),
    vectors: get(QueryVectors),
    publish: async ({ title, texts, lang = 'en', blogId = 1 }) => {
      const [post] = (await db
        .knex('posts')
        .insert({
          ...{ blog_id: blogId, type: 'page', status: 'publish', title, lang, author_id: 1, hash: '' },
          slug: md5(title + String(texts.length) + Math.random()),
          search: '',
        })
        .returning('id')) as { id: number }[];
      const id = post?.id ?? 0;
      const source = { blog_id: blogId, id_post: id, title, url: '', post_type: 'page', lang };
      const chunks = texts.map((text) =>
        typeof text === 'string' ? newChunk(text, []) : newChunk(text.content, text.heading_path),
      );
      await db.transaction(async (trx) => {
        await store.put(trx, blogId, { asked: 'test', embedder: 'test', dimensions: null, recipe: '' });
        await store.replace(trx, source, chunks, plan);
      });
      const rows = await db.knex('rag_chunks').where('id_post', id).orderBy('position').pluck('id_chunk');
      return { id, chunks: rows as number[] };
    },
    settings: async (given) => {
      await lyceum.make.settings('rag', given);
      await services.host(State).read(1);
    },
  };
}
