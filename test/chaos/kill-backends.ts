import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';
import { endProcess, startProcess } from './processes.ts';

export interface BackendPlan {
  /** Backends of PostgreSQL that are terminated. */
  readonly kills: number;
  /** Clients that make requests meanwhile, each of which makes a job or none. */
  readonly clients: number;
  readonly longestPauseMs: number;
}

export interface BackendFigures {
  readonly kills: number;
  readonly requests: number;
  /** Answers that said that the database was away, all with `Retry-After`. */
  readonly unavailable: number;
  /** Answers that were neither a success nor that. */
  readonly wrong: number;
  readonly jobs: number;
  /** Jobs that wait or run by a ticket that the queue does not have. */
  readonly jobsWithoutTicket: number;
  /** Tickets that may be taken, of jobs that are not there. */
  readonly ticketsWithoutJob: number;
  /** Sites in creation, or whose removal is announced, that no job works at. */
  readonly sitesWithoutJob: number;
  /** Jobs that were answered and are not there. */
  readonly answeredWithoutJob: number;
  /** Jobs that have not ended though all had time to. */
  readonly lost: number;
  /** Jobs that failed, by code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Tickets that are still about when every job has ended and every silent worker was noticed. */
  readonly ticketsLeft: number;
}

const live = `('created', 'retry', 'active')`;

/** What does not fit together, seen in one snapshot. */
async function orphans(watcher: pg.Client) {
  const { rows } = await watcher.query<{ jobs: number; tickets: number; sites: number }>(`select
    (select count(*)::int from jobs j where completed_at is null and not parked and not waits and not exists (
      select from pgboss.job t where t.name = j.lane and t.id = j.ticket and t.state in ${live})) as jobs,
    (select count(*)::int from pgboss.job t where t.name in ('quick', 'long') and t.state in ${live} and not exists (
      select from jobs j where j.job_id = (t.data ->> 'job_id')::uuid)) as tickets,
    (select count(*)::int from sites s where (s.state = 'creating' or s.remains = 'purging') and not exists (
      select from jobs j where j.completed_at is null and s.blog_id in (
        (j.payload ->> 'target_blog_id')::int, (j.payload ->> 'blog_id')::int))) as sites`);
  const [row] = rows;
  if (!row) throw new Error('A count returned no row.');
  return row;
}

/** One of the requests that make a job, or make what the next one needs. */
function request(admin: Client, n: number, source: number, made: number[]) {
  const sites = 'svc/site-manager/v1/sites';
  const own = made[Math.floor(Math.random() * made.length)];
  if (own === undefined || n % 5 === 0) return admin.post(sites, { title: `Site ${n}`, slug: `site-${n}` });
  if (n % 5 === 1)
    return admin.post(`svc/site-duplicator/v1/sites/${source}/duplicate`, { slug: `copy-${n}` });
  if (n % 5 === 2) return admin.patch(`${sites}/${own}`, { slug: `moved-${n}` });
  if (n % 5 === 3) return admin.post(`${sites}/bulk`, { blog_ids: [own], action: 'archive' });
  made.splice(made.indexOf(own), 1);
  return admin.delete(`${sites}/${own}`);
}

async function prepared(lyceum: TestHost) {
  const source = await lyceum.make.site('source');
  await lyceum.host.db.knex.raw(
    `insert into posts (blog_id, type, status, title, slug, content, author_id, lang, hash, search)
     select ?, 'page', 'publish', 'Page ' || n, 'page-' || n, 'Text', 1, 'en', '', '' from generate_series(1, 50) n`,
    [source.blog_id],
  );
  const admin = lyceum.as(await lyceum.make.admin());
  return { source: source.blog_id, admin };
}

/** Terminates backends at random moments while requests make jobs and a worker does them. */
export async function killBackends(plan: BackendPlan): Promise<BackendFigures> {
  const modules = ['site_manager', 'site_duplicator'];
  const lyceum = await startTestHost({ modules, config: { workers: 'off' } });
  const watcher = new pg.Client(lyceum.database.url);
  const worker = await startProcess(lyceum, { modules, workers: 'only' });
  try {
    await watcher.connect();
    const { source, admin } = await prepared(lyceum);
    const made: number[] = [];
    const answered: string[] = [];
    const counts = { requests: 0, unavailable: 0, wrong: 0 };
    let going = true;
    const client = async (): Promise<void> => {
      while (going) {
        counts.requests += 1;
        const { status, body, headers } = await request(admin, counts.requests, source, made);
        if (status === 201) made.push(body.blog_id as number);
        if (status < 300 && typeof body.job_id === 'string') answered.push(body.job_id);
        // Two clients meet at one site, or the site was removed meanwhile: an answer like any other.
        const expected = status < 300 || status === 404 || status === 409 || status === 429;
        if (status === 503 && headers['retry-after']) counts.unavailable += 1;
        else if (!expected) counts.wrong += 1;
      }
    };
    const clients = Promise.all(Array.from({ length: plan.clients }, client));
    let kills = 0;
    let worst = { jobs: 0, tickets: 0, sites: 0 };
    while (kills < plan.kills) {
      await wait(Math.random() * plan.longestPauseMs);
      const { rowCount } = await watcher.query(`select pg_terminate_backend(pid) from (
        select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        order by random() limit 1) one`);
      kills += rowCount ?? 0;
      const { jobs, tickets, sites } = await orphans(watcher);
      worst = {
        jobs: Math.max(worst.jobs, jobs),
        tickets: Math.max(worst.tickets, tickets),
        sites: Math.max(worst.sites, sites),
      };
    }
    going = false;
    await clients;
    const count = async (what: string): Promise<number> =>
      Number((await watcher.query(`select count(*) as n from ${what}`)).rows[0]?.n);
    const openJobs = `jobs where completed_at is null`;
    const deadline = performance.now() + 180_000;
    while ((await count(openJobs)) > 0 && performance.now() < deadline) await wait(50);
    const lost = await count(openJobs);
    const tickets = `pgboss.job where name in ('quick', 'long') and state in ${live}`;
    const quiet = performance.now() + 40_000;
    while ((await count(tickets)) > 0 && performance.now() < quiet) await wait(50);
    const { rows: known } = await watcher.query<{ job_id: string; code: string | null }>(
      `select job_id, error ->> 'code' as code from jobs`,
    );
    const ids = new Set(known.map(({ job_id }) => job_id));
    const codes = Map.groupBy(
      known.filter(({ code }) => code !== null),
      ({ code }) => code as string,
    );
    return {
      kills,
      ...counts,
      jobs: known.length,
      jobsWithoutTicket: worst.jobs,
      ticketsWithoutJob: worst.tickets,
      sitesWithoutJob: Math.max(worst.sites, (await orphans(watcher)).sites),
      answeredWithoutJob: answered.filter((id) => !ids.has(id)).length,
      lost,
      failed: Object.fromEntries([...codes].map(([code, rows]) => [code, rows.length])),
      ticketsLeft: await count(tickets),
    };
  } finally {
    await watcher.end();
    await endProcess(worker, 'SIGTERM');
    await lyceum.stop();
  }
}
