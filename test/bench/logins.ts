import { randomInt } from 'node:crypto';
import { startServer, startTestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { median } from './measure.ts';

/**
 * Whether the time of an answer tells that a login exists: known and unknown logins in turns, each from an address of
 * its own, at a process that serves and does not mail. Prints the medians and their difference.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 1_000);
const modules = ['passwordless'];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const lyceum = await startTestHost({ modules });
await lyceum.make.settings('passwordless', { request_interval: 0, requests_per_hour: 100 });
await lyceum.host.db.knex.raw(
  `with made as (
     insert into users (network_id, login, email, display_name, nicename)
     select 1, 'known' || n, 'known' || n || '@example.test', 'Known', 'known' || n from generate_series(1, ?::int) n
     returning id)
   insert into memberships (blog_id, user_id, role) select 1, id, 'subscriber' from made`,
  [rounds],
);
await lyceum.host.db.knex.raw('analyze users, memberships');
const server = await startServer(lyceum, modules);

async function milliseconds(route: string, status: number, body: object): Promise<number> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const started = performance.now();
  const answer = await fetch(`${server.origin}/api/svc/passwordless/v1/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  const took = performance.now() - started;
  if (answer.status !== status) throw new Error(`${route} answered ${answer.status}.`);
  return took;
}

const logins = {
  known: (at: number) => `known${at + 1}`,
  unknown: (at: number) => `stranger${at + 1}`,
};
const kinds = ['known', 'unknown'] as const;

async function compare(route: string, status: number, more: object): Promise<void> {
  const times: Record<(typeof kinds)[number], number[]> = { known: [], unknown: [] };
  for (let at = 0; at < rounds; at += 1) {
    // In turns, and each kind first as often as the other.
    for (const kind of at % 2 === 0 ? kinds : kinds.toReversed()) {
      times[kind].push(await milliseconds(route, status, { login: logins[kind](at), ...more }));
    }
  }
  const differences = times.known.map((time, at) => time - (times.unknown[at] ?? Number.NaN));
  const sorted = differences.toSorted((a, b) => a - b);
  // Ranks between which the true median lies, 19 times out of 20.
  const spread = Math.ceil(0.98 * Math.sqrt(rounds));
  const [low, high] = [rounds / 2 - spread, rounds / 2 + spread].map((rank) => sorted[Math.floor(rank)] ?? 0);
  print(
    `POST /${route}: known ${median(times.known).toFixed(3)} ms, unknown ${median(times.unknown).toFixed(3)} ms; ` +
      `known - unknown: median ${median(differences).toFixed(3)} ms, with 95 % between ${low?.toFixed(3)} and ` +
      `${high?.toFixed(3)} ms (${rounds} pairs)`,
  );
}

await compare('request', 200, {});
await compare('verify', 403, { pin: '000000' });
server.child.kill();
await lyceum.stop();
await stopTestPostgres();
process.exit(0);
