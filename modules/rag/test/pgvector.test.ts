import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { Database } from '@lyceum/core';
import { expect } from 'chai';
import { pino } from 'pino';
import { createChunks } from '../migrations/001-create-chunks.ts';
import { searchVectors, vectorIndex } from '../retrieval/vector-search-store.ts';
import { ChunkStore } from '../store/chunk-store.ts';
import { indexVectors } from '../store/vector-index-store.ts';

/** The store on a PostgreSQL that has pgvector: one in WebAssembly, over a socket, with one connection at a time. */
describe('rag: a store with pgvector', function () {
  this.timeout(120_000);
  let engine: PGlite;
  let server: PGLiteSocketServer;
  let db: Database;
  let store: ChunkStore;

  const dimensions = 8;

  before(async () => {
    engine = await PGlite.create({ extensions: { vector } });
    server = new PGLiteSocketServer({ db: engine, port: 0, host: '127.0.0.1' });
    await server.start();
    const url = `postgres://postgres:postgres@${server.getServerConn()}/postgres?sslmode=disable`;
    db = new Database(url, { poolSize: 1, log: pino({ level: 'silent' }) });
    store = new ChunkStore(db);
    await db.knex.raw('create table posts (id int primary key, blog_id int, status text, title text)');
    await db.transaction((trx) => createChunks.up(trx));
  });
  after(async () => {
    await db.close();
    await server.stop();
    await engine.close();
  });

  /** A direction that is nearer to the first axis the smaller the number is. */
  const direction = (n: number): number[] => {
    const angle = (n / 100) * (Math.PI / 2);
    return [Math.cos(angle), Math.sin(angle), ...Array(dimensions - 2).fill(0)] as number[];
  };

  const question = {
    blogId: 1,
    query: '',
    postIds: null as readonly number[] | null,
    limit: 3,
    embedder: 'test',
    vector: direction(0),
    minSimilarity: 0.1,
  };

  it('has a column of its type, and says so', async () => {
    const { backend, version } = await store.backend();
    expect(backend).to.equal('pgvector');
    expect(version).to.match(/^\d+\.\d+/);
  });

  it('stores vectors and finds the nearest ones, of published posts and of its embedder', async () => {
    const jobId = crypto.randomUUID();
    for (let id = 1; id <= 5; id += 1) {
      const status = id === 1 ? 'draft' : 'publish';
      await db.knex('posts').insert({ id, blog_id: 1, status, title: `Post ${id}` });
      await db.transaction(async (trx) => {
        const source = { blog_id: 1, id_post: id, title: '', url: '', post_type: 'page', lang: 'en' };
        const chunk = { content: `Text ${id}`, content_hash: `${id}`, embed_hash: `${id}` };
        await store.put(trx, 1, { asked: 'test', embedder: 'test', dimensions, recipe: '' });
        await store.replace(trx, source, [{ ...chunk, heading_path: [], token_count: 2 }], {
          wanted: true,
          anew: false,
        });
        const until = new Date(Date.now() + 60_000);
        const leased = await store.lease(trx, { blogId: 1, jobId, postIds: null, limit: 10, until });
        const made = leased.map((one) => ({ ...one, vector: direction(id * 10) }));
        expect(await store.storeVectors(trx, jobId, 'test', made)).to.equal(1);
      });
    }
    expect(await searchVectors(db, question)).to.deep.equal([2, 3, 4]);
    expect(await searchVectors(db, { ...question, postIds: [4, 5] })).to.deep.equal([4, 5]);
    expect(await searchVectors(db, { ...question, minSimilarity: 0.9 })).to.deep.equal([2]);
    expect(await searchVectors(db, { ...question, embedder: 'other' })).to.deep.equal([]);
    expect(await searchVectors(db, { ...question, blogId: 2 })).to.deep.equal([]);
  });

  it('gives a large site an index, which the search uses', async () => {
    await db.knex.raw(`insert into posts select n, 1, 'publish', '' from generate_series(6, 20100) as n`);
    await db.knex.raw(
      `insert into rag_chunks (blog_id, id_post, position, status, content, content_hash, embed_hash, metadata, lang,
          token_count, word_count, fts, embedder, embedding)
        select 1, n, 0, 1, '', '', '', '{}', 'en', 0, 0, '', 'test',
          ('[' || cos(0.8 + n / 40000.0) || ',' || sin(0.8 + n / 40000.0) || ',0,0,0,0,0,0]')::vector
        from generate_series(6, 20100) as n`,
    );
    await indexVectors(db, 1);
    const { rows } = await db.knex.raw(`select indexdef from pg_indexes where indexname = ?`, [
      vectorIndex(1),
    ]);
    expect(rows[0].indexdef).to.include('hnsw').and.include('vector(8)');
    expect(await searchVectors(db, question)).to.deep.equal([2, 3, 4]);
    await indexVectors(db, 1);
    await db.knex('rag_chunks').where('id_post', '>', 5).delete();
    await indexVectors(db, 1);
    const after = await db.knex.raw(`select 1 from pg_indexes where indexname = ?`, [vectorIndex(1)]);
    expect(after.rows).to.deep.equal([]);
  });
});
