import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { sha256 } from '../../core/auth/credentials.ts';
import { Nonces } from '../../core/auth/nonces.ts';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { Keys } from '../../core/settings/secrets.ts';
import { cloneDatabase, stopTestPostgres } from '../kit/postgres.ts';
import { measureJobs } from './jobs.ts';
import { type Contender, contender, type Load, type Measured, measure, median } from './measure.ts';
import { measurePolls } from './polls.ts';

/**
 * The host beside bare `node:http` + `pg` doing the same work, interleaved in one run, so that whatever else the
 * machine does meets both. Prints medians and ratios; the goals are promises to users.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const secretKey = 'a secret key for the benchmark, long enough';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function signIn(databaseUrl: string): Promise<Record<string, string>> {
  const token = randomBytes(32).toString('base64url');
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `insert into sessions (token_hash, user_id, remember, expires_at, ip, user_agent)
     values ($1, 1, false, now() + interval '1 day', '', '')`,
    [sha256(token)],
  );
  await client.end();
  const nonce = new Nonces(new Keys(secretKey).derive('nonces'), Date.now).fresh(1, sha256(token));
  return { Cookie: `svc_session=${token}`, 'X-Svc-Nonce': nonce };
}

async function compare(
  title: string,
  goal: number,
  lyceum: Contender,
  bare: Contender,
  load: Load,
): Promise<void> {
  const measured: { readonly host: Measured[]; readonly bare: Measured[] } = { host: [], bare: [] };
  await measure(lyceum, load, 1);
  await measure(bare, load, 1);
  for (let round = 0; round < rounds; round += 1) {
    measured.bare.push(await measure(bare, load, seconds));
    measured.host.push(await measure(lyceum, load, seconds));
  }
  const middle = (of: readonly Measured[], figure: keyof Measured): number =>
    median(of.map((one) => one[figure]));
  const [hostRate, bareRate] = [middle(measured.host, 'perSecond'), middle(measured.bare, 'perSecond')];
  const [hostCpu, bareCpu] = [middle(measured.host, 'cpuMicros'), middle(measured.bare, 'cpuMicros')];
  const figures = `host ${hostRate.toFixed(0)}/s, bare ${bareRate.toFixed(0)}/s`;
  const ratio = `ratio ${(hostRate / bareRate).toFixed(2)} (goal ${goal.toFixed(2)})`;
  const cpu = `CPU ${hostCpu.toFixed(1)} and ${bareCpu.toFixed(1)} µs, ${(bareCpu / hostCpu).toFixed(2)}`;
  print(`${title.padEnd(34)} ${figures.padEnd(36)} ${ratio}   ${cpu}`);
}

/** Median milliseconds of one creation after the other. */
async function creation(to: Contender, headers: Record<string, string>, prefix: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    const started = performance.now();
    const answer = await fetch(`${to.origin}/api/svc/site-manager/v1/sites`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Site', slug: `${prefix}-${count}` }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`${to.name} answered ${answer.status} to a creation.`);
    times.push(performance.now() - started);
  }
  return median(times);
}

async function grow(databaseUrl: string, sites: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `insert into sites (network_id, domain, path, slug, title)
     select 1, 'localhost', '/grown-' || n || '/', 'grown-' || n, 'Grown ' || n from generate_series(1, $1::int) n`,
    [sites],
  );
  await client.query('analyze sites');
  await client.end();
}

async function createSites(lyceum: Contender, bare: Contender, headers: Record<string, string>, at: string) {
  const bareMs = await creation(bare, headers, `bare-${at}`);
  const hostMs = await creation(lyceum, headers, `host-${at}`);
  const figures = `host ${hostMs.toFixed(2)} ms, bare ${bareMs.toFixed(2)} ms`;
  print(`${`POST /sites at ${at} sites`.padEnd(34)} ${figures.padEnd(36)} (goal: host ≤ 2 ms)`);
}

async function run(): Promise<void> {
  const database = await cloneDatabase('started');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'lyceum-bench-'));
  const environment = { DATABASE_URL: database.url, SECRET_KEY: secretKey, DATA_DIR: dataDir };
  const headers = await signIn(database.url);
  const lyceum = await contender('host', 'host-server.ts', environment);
  const index = await (await fetch(`${lyceum.origin}/api/`)).text();
  const bare = await contender('bare', 'bare-server.ts', { ...environment, INDEX_BODY: index });
  try {
    const site = '/api/svc/site-manager/v1/sites/1';
    await compare('GET one site, cookie and nonce', 0.8, lyceum, bare, { path: site, headers });
    await compare('GET /session', 0.75, lyceum, bare, { path: '/api/svc/host/v1/session', headers });
    await compare('API index', 0.45, lyceum, bare, { path: '/api/', headers: {} });
    await createSites(lyceum, bare, headers, '10');
    await grow(database.url, 100_000);
    await createSites(lyceum, bare, headers, '100,000');
    await compare('GET one site of 100,000', 0.8, lyceum, bare, { path: site, headers });
  } finally {
    lyceum.child.kill();
    bare.child.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

registerResolveHooks();
await run();
await measureJobs();
await measurePolls();
await stopTestPostgres();
process.exit(0);
