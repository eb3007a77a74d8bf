import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { Database } from '../../core/db/database.ts';
import { searchText } from '../../modules/rag/retrieval/text-search-store.ts';
import { searchVectors } from '../../modules/rag/retrieval/vector-search-store.ts';
import { indexVectors } from '../../modules/rag/store/vector-index-store.ts';
import { startTestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';

/**
 * What a search costs in stores of several sizes, and how many of the ten nearest chunks it finds:
 * `node test/bench/search.ts [1000,10000,100000]`. Texts are made of words as common as those of a language (the n-th
 * is in every n-th place) and name their topic, vectors lie around its direction, as those of texts do. A server with pgvector
 * is measured with `DATABASE_URL`.
 */

const dimensions = 384;
const topics = 200;
const questions = 12;
const sizes = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

const lyceum = await startTestHost({ modules: ['rag', 'lms'] });
const { DATABASE_URL } = process.env;
const db = DATABASE_URL
  ? new Database(DATABASE_URL, { poolSize: 4, log: pino({ level: 'silent' }) })
  : lyceum.host.services.host(Database);

/** A number from 0 to 1 that is always the same. */
function* randoms(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}
const random = randoms(1);
const next = (): number => random.next().value;

const unit = (vector: readonly number[]): number[] => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const near = (topic: readonly number[]): number[] =>
  unit(topic.map((value) => value + (next() - 0.5) * 0.12));
const centres = Array.from({ length: topics }, () =>
  unit(Array.from({ length: dimensions }, () => next() - 0.5)),
);
const topic = (): number => Math.floor(next() * topics);
const around = (number: number): number[] => near(centres[number] ?? []);

/** By Zipf's law: the first words are in nearly every text. */
const word = (): string => `word${Math.floor(20_000 ** next())}`;
const text = (words: number, about: number): string =>
  [`topic${about}`, ...Array.from({ length: words }, word)].join(' ');

async function fill(blogId: number, from: number, to: number): Promise<void> {
  const { rows } = await db.knex.raw(`select udt_name from information_schema.columns
    where table_name = 'rag_chunks' and column_name = 'embedding'`);
  const [open, close, type] = rows[0].udt_name === 'vector' ? ['[', ']', 'vector'] : ['{', '}', 'real[]'];
  const batch = 500;
  for (let at = from; at < to; at += batch) {
    const abouts = Array.from({ length: Math.min(batch, to - at) }, topic);
    await db.knex.raw(
      `insert into rag_chunks (blog_id, id_post, position, status, content, content_hash, embed_hash, metadata, lang,
          token_count, word_count, fts, embedder, embedding)
        select ?, p.id, 0, 1, made.text, '', '', '{"heading_path": []}', 'en', 100, 60,
          to_tsvector('english', made.text), 'bench', made.vector::${type}
        from unnest(?::text[], ?::text[]) as made (text, vector), (select min(id) as id from posts where blog_id = ?) p`,
      [
        ...[blogId, abouts.map((about) => text(60, about))],
        ...[abouts.map((about) => `${open}${around(about).join(',')}${close}`), blogId],
      ] as never,
    );
  }
  await db.knex.raw('analyze rag_chunks');
}

interface Timed {
  readonly found: readonly number[];
  readonly ms: number;
}

async function timed(work: () => Promise<readonly number[]>): Promise<Timed> {
  const began = performance.now();
  const found = await work();
  return { found, ms: performance.now() - began };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The ten nearest, by comparing with every one of them. */
async function exact(blogId: number, vector: readonly number[]): Promise<number[]> {
  const { rows } = await db.knex.raw(
    `select id_chunk from rag_chunks c where blog_id = ?
      order by (select sum(a * b) from unnest(c.embedding::real[], ?::real[]) as pairs (a, b)) desc, id_chunk limit 10`,
    [blogId, vector] as never,
  );
  return rows.map(({ id_chunk }: { id_chunk: number }) => id_chunk);
}

const [post] = await db.knex('posts').where('blog_id', 1).limit(1);
if (!post) {
  await db.knex('posts').insert({
    ...{
      blog_id: 1,
      type: 'page',
      status: 'publish',
      title: 'Bench',
      slug: 'bench',
      lang: 'en',
      author_id: 1,
    },
    ...{ hash: '', search: '' },
  });
}
await db.knex('posts').where('blog_id', 1).update({ status: 'publish' });
await db
  .knex('rag_stores')
  .insert({ blog_id: 1, backend: 'sql', asked: 'bench', embedder: 'bench', dimensions, recipe: '' })
  .onConflict('blog_id')
  .merge();
let filled = 0;
for (const size of sizes) {
  await fill(1, filled, size);
  filled = size;
  await indexVectors(db, 1);
  const words: number[] = [];
  const vectors: number[] = [];
  let hits = 0;
  for (let asked = 0; asked < questions; asked += 1) {
    const about = topic();
    const vector = around(about);
    const question = { blogId: 1, query: text(8, about), postIds: null, limit: 50 };
    words.push((await timed(() => searchText(db, question))).ms);
    const byVector = await timed(() =>
      searchVectors(db, { ...question, embedder: 'bench', vector, minSimilarity: 0 }),
    );
    vectors.push(byVector.ms);
    const nearest = await exact(1, vector);
    hits += byVector.found.slice(0, 10).filter((id) => nearest.includes(id)).length;
  }
  const recall = hits / questions / 10;
  tell(
    `${size} chunks: words ${median(words).toFixed(1)} ms, vectors ${median(vectors).toFixed(1)} ms, recall@10 ${recall.toFixed(3)}`,
  );
}
await lyceum.stop();
await stopTestPostgres();
process.exit(0);
