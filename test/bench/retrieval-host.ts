import { Database } from '../../core/db/database.ts';
import { Jobs } from '../../core/jobs/jobs.ts';
import { QueryVectors } from '../../modules/rag/retrieval/query-vectors.ts';
import { Retrieval } from '../../modules/rag/retrieval/retrieval.ts';
import { searchText } from '../../modules/rag/retrieval/text-search-store.ts';
import { searchVectors } from '../../modules/rag/retrieval/vector-search-store.ts';
import { ChunkStore } from '../../modules/rag/store/chunk-store.ts';
import { startTestHost, type TestHost, type TestSite } from '../kit/index.ts';

/** A page to be found. */
export interface Page {
  readonly title: string;
  readonly html: string;
  readonly lang: string;
}

/** Ids of posts, best first, by each way of searching. */
export type Way = 'words' | 'vectors' | 'fused';

/** A host in which pages are synced as those of a site would be, and questions are asked as bots ask them. */
export class RetrievalHost {
  readonly lyceum: TestHost;

  constructor(lyceum: TestHost) {
    this.lyceum = lyceum;
  }

  static async start(): Promise<RetrievalHost> {
    const modules = ['rag', 'embedding', 'lms'];
    const lyceum = await startTestHost({ modules, config: { workers: 'inline' } });
    await lyceum.make.settings('embedding', { auto_sync: false });
    return new RetrievalHost(lyceum);
  }

  #get<T>(token: abstract new (...args: never[]) => T): T {
    const spec = this.lyceum.host.modules.get('rag')?.spec;
    if (!spec) throw new Error('The module "rag" is not installed.');
    return this.lyceum.host.services.resolve(spec)(token);
  }

  /** A site of its own with these pages, synced. Ids of the posts in their order. */
  async site(pages: readonly Page[]): Promise<{ readonly site: TestSite; readonly ids: readonly number[] }> {
    const site = await this.lyceum.make.site();
    await this.lyceum.make.settings('embedding', { auto_sync: false }, site.blog_id);
    const there = this.lyceum.as(await this.lyceum.make.admin(), site);
    const ids: number[] = [];
    for (const { title, html: content, lang } of pages) {
      const post = { type: 'page', status: 'publish', title, content, lang };
      ids.push((await there.post('svc/host/v1/posts', post).expect(201)).body.id as number);
    }
    const { body } = await there.post('svctutor/embedding/v1/sync').expect(202);
    const jobs = this.lyceum.host.services.host(Jobs);
    for (;;) {
      const job = await jobs.wait(body.job_id as string, 30, new AbortController().signal);
      if (job?.status === 'completed') break;
      if (!job || job.status === 'failed') throw new Error(`The sync failed: ${JSON.stringify(job?.error)}`);
    }
    return { site, ids };
  }

  /** Posts that a question finds, best first, each once. */
  async find(blogId: number, query: string, lang: string, way: Way): Promise<readonly number[]> {
    if (way === 'fused') {
      const found = await this.#get(Retrieval).retrieve(blogId, query, 20, { lang });
      return [...new Set(found.map(({ id_post }) => id_post))];
    }
    const db = this.lyceum.host.services.host(Database);
    const question = { blogId, query, postIds: null, limit: 50 };
    const chunks = way === 'words' ? await searchText(db, question) : await this.#byVectors(question, lang);
    const rows = await db.knex('rag_chunks').whereIn('id_chunk', chunks).select('id_chunk', 'id_post');
    const posts = new Map(rows.map((row) => [row.id_chunk as number, row.id_post as number]));
    return [...new Set(chunks.map((id) => posts.get(id) ?? 0))];
  }

  async #byVectors(question: Parameters<typeof searchText>[1], lang: string): Promise<number[]> {
    const { blogId, query } = question;
    const asked = await this.#get(QueryVectors).of({ blogId, query, lang });
    const db = this.lyceum.host.services.host(Database);
    return asked ? searchVectors(db, { ...question, ...asked, minSimilarity: 0.1 }) : [];
  }

  async chunks(blogId: number): Promise<number> {
    return (await this.#get(ChunkStore).counts(blogId)).total;
  }
}
