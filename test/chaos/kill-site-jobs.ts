import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Storage } from '../../core/files/storage.ts';
import { type Client, startTestHost, type TestHost, type TestSite } from '../kit/index.ts';
import { endProcess, type OtherProcess, startProcess } from './processes.ts';

export interface SiteKillPlan {
  readonly posts: number;
  /** Kills of the worker per job, at most 4: the fifth lost worker fails a job. */
  readonly kills: number;
}

interface JobFigures {
  readonly status: string;
  readonly kills: number;
  readonly losses: number;
  /** The result is that of a job of a site like this one whose worker was left alone. */
  readonly sameResult: boolean;
}

export interface SiteKillFigures {
  readonly rewrite: JobFigures & {
    /** Posts that do not read as one replacement of the old address leaves them. */
    readonly wrongPosts: number;
  };
  readonly purge: JobFigures & { readonly rowsLeft: number; readonly filesLeft: number };
}

interface JobRow {
  readonly job_id: string;
  readonly status: string;
  readonly phase: string;
  readonly losses: number;
  readonly current: string;
  readonly cursor: { readonly seen?: number; readonly rows?: number } | null;
  readonly completed_at: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
}

const route = 'svc/site-manager/v1/sites';

/** Pages that link to their own site, and a file each for the first hundred of them. */
async function filled(lyceum: TestHost, slug: string, posts: number): Promise<TestSite> {
  const site = await lyceum.make.site(slug);
  const home = lyceum.host.addresses.site({ domain: 'localhost', path: `/${slug}/` });
  await lyceum.host.db.knex.raw(
    `insert into posts (blog_id, type, status, title, slug, content, author_id, lang, hash, search)
     select :blogId, 'page', 'publish', 'Page ' || n, 'page-' || n,
       '<p>Page ' || n || ' of <a href="' || :home || 'page-' || n || '">it</a> ' || repeat('word ', 50), 1, 'en', '', ''
     from generate_series(1, :posts) n`,
    { blogId: site.blog_id, home, posts },
  );
  const storage = lyceum.host.services.host(Storage);
  for (let n = 0; n < Math.min(100, posts); n += 1) {
    const key = `sites/${site.blog_id}/media/${n.toString(16).padStart(32, '0')}/file.txt`;
    await storage.write(key, Readable.from([Buffer.from('x')]), { limit: 100, contentType: 'text/plain' });
  }
  return site;
}

class Killings {
  readonly #lyceum: TestHost;
  #worker: OtherProcess | null = null;

  constructor(lyceum: TestHost) {
    this.#lyceum = lyceum;
  }

  async #work(): Promise<void> {
    this.#worker = await startProcess(this.#lyceum, { modules: ['site_manager'], workers: 'only' });
  }

  async stop(): Promise<void> {
    if (this.#worker) await endProcess(this.#worker, 'SIGTERM');
    this.#worker = null;
  }

  /** The newest job of the type when it has ended; its worker is killed when a moment is due, one after the other. */
  async through(
    type: string,
    moments: readonly ((row: JobRow) => boolean)[],
  ): Promise<JobRow & { kills: number }> {
    const { knex } = this.#lyceum.host.db;
    const newest = async () =>
      (await knex('jobs').where({ type }).orderBy('created_at', 'desc').first()) as JobRow;
    let kills = 0;
    for (const isDue of moments) {
      if (!this.#worker) await this.#work();
      let row = await newest();
      while (row.completed_at === null && !(row.status === 'running' && row.losses === kills && isDue(row))) {
        await wait(1);
        row = await newest();
      }
      if (row.completed_at !== null || !this.#worker) break;
      await endProcess(this.#worker, 'SIGKILL');
      this.#worker = null;
      kills += 1;
    }
    if (!this.#worker) await this.#work();
    let row = await newest();
    for (
      const until = performance.now() + 120_000;
      row.completed_at === null && performance.now() < until;
    ) {
      await wait(20);
      row = await newest();
    }
    return { ...row, kills };
  }
}

const figuresOf = (row: JobRow & { kills: number }, reference: JobRow): JobFigures => {
  const bare = ({ blog_id, ...rest }: Readonly<Record<string, unknown>>) => JSON.stringify(rest);
  const { status, kills, losses, result } = row;
  return {
    status,
    kills,
    losses,
    sameResult: bare(result ?? {}) === bare(reference.result ?? { none: true }),
  };
};

async function rewrite(lyceum: TestHost, admin: Client, plan: SiteKillPlan, killings: Killings) {
  const { knex } = lyceum.host.db;
  const type = 'site_manager.rewrite_urls';
  const plain = await filled(lyceum, 'plain', plan.posts);
  await admin.patch(`${route}/${plain.blog_id}`, { slug: 'moved-plain' }).expect(200);
  const reference = await killings.through(type, []);
  const site = await filled(lyceum, 'rough', plan.posts);
  const before = (await knex('posts')
    .where({ blog_id: site.blog_id })
    .orderBy('id')
    .pluck('content')) as string[];
  await killings.stop();
  await admin.patch(`${route}/${site.blog_id}`, { slug: 'moved-rough' }).expect(200);
  const moments = [0.05, 0.25, 0.5, 0.75].map(
    (share) => (row: JobRow) => Number(row.current) > share * plan.posts && row.phase === 'posts',
  );
  const row = await killings.through(type, moments.slice(0, plan.kills));
  const after = (await knex('posts')
    .where({ blog_id: site.blog_id })
    .orderBy('id')
    .pluck('content')) as string[];
  const wrongPosts = before.filter(
    (text, at) => text.replaceAll('/rough/', '/moved-rough/') !== after[at],
  ).length;
  return { site, plain, figures: { ...figuresOf(row, reference), wrongPosts } };
}

async function purge(
  lyceum: TestHost,
  admin: Client,
  plan: SiteKillPlan,
  killings: Killings,
  { site, plain }: { readonly site: TestSite; readonly plain: TestSite },
) {
  const { knex } = lyceum.host.db;
  const type = 'site_manager.purge';
  await admin.delete(`${route}/${plain.blog_id}`).expect(200);
  const reference = await killings.through(type, []);
  await killings.stop();
  await admin.delete(`${route}/${site.blog_id}`).expect(200);
  const moments = [
    ({ cursor }: JobRow) => (cursor?.rows ?? 0) > 0,
    ({ cursor }: JobRow) => (cursor?.rows ?? 0) > plan.posts / 4,
    ({ cursor }: JobRow) => (cursor?.rows ?? 0) > plan.posts / 2,
    ({ phase }: JobRow) => phase === 'files',
  ];
  const row = await killings.through(type, moments.slice(0, plan.kills));
  let filesLeft = 0;
  for await (const _ of lyceum.host.services.host(Storage).list(`sites/${site.blog_id}`)) filesLeft += 1;
  const left = await knex('posts').where({ blog_id: site.blog_id }).count({ n: '*' }).first();
  return { ...figuresOf(row, reference), rowsLeft: Number(left?.n), filesLeft };
}

/** Rewrites and then purges a site while the worker is killed with SIGKILL, and looks at what came of it. */
export async function killSiteJobs(plan: SiteKillPlan): Promise<SiteKillFigures> {
  const lyceum = await startTestHost({ modules: ['site_manager'], config: { workers: 'off' } });
  const killings = new Killings(lyceum);
  try {
    const admin = lyceum.as(await lyceum.make.admin());
    const rewritten = await rewrite(lyceum, admin, plan, killings);
    return { rewrite: rewritten.figures, purge: await purge(lyceum, admin, plan, killings, rewritten) };
  } finally {
    await killings.stop();
    await lyceum.stop();
  }
}
