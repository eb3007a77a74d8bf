import { Agent, request } from 'node:http';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { Crashes } from '../../core/isolation/crashes.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';

/**
 * What a call costs in the process of the host and in a worker, one after the other and interleaved; and how long the
 * slowest hundredth of another module's answers takes while a worker loops or leaks.
 */
const calls = Number(process.env.BENCH_CALLS ?? 3_000);
const agent = new Agent({ keepAlive: true });

registerResolveHooks();
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Milliseconds until the whole answer is there, and its status. */
function ask(origin: string, method: string, path: string): Promise<{ ms: number; status: number }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/api/bench/${path}`, { method, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ ms: performance.now() - began, status: answer.statusCode ?? 0 }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const at = (times: number[], share: number): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

async function costs({ origin }: TestHost): Promise<void> {
  const times = { near: [] as number[], far: [] as number[] };
  for (let call = 0; call < calls + 200; call += 1) {
    for (const where of ['near', 'far'] as const) {
      const { ms } = await ask(origin, 'GET', `${where}/v1/items/${call + 1}`);
      if (call >= 200) times[where].push(ms);
    }
  }
  for (const [where, title] of [
    ['near', 'in process'],
    ['far', 'isolated'],
  ] as const) {
    const [median, p99] = [at(times[where], 0.5), at(times[where], 0.99)];
    print(`${title.padEnd(24)} ${calls} calls: median ${median.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  }
}

async function harm({ origin, host }: TestHost, how: 'nothing' | 'loop' | 'leak'): Promise<void> {
  let over = false;
  const rest = new Promise((resolve) => setTimeout(resolve, 5_000));
  const busy = (how === 'nothing' ? rest : ask(origin, 'POST', `far/v1/${how}`)).finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) times.push((await ask(origin, 'GET', 'near/v1/items/1')).ms);
  const ended = (await busy) as { status: number } | undefined;
  const said = ended ? `, answered ${ended.status}` : '';
  print(
    `${`others while ${how}`.padEnd(24)} ${times.length} calls: p99 ${at(times, 0.99).toFixed(2)} ms, slowest ${at(times, 1 - 1e-9).toFixed(0)} ms${said} (goal p99 ≤ 250 ms)`,
  );
  await host.db.transaction((trx) => host.services.host(Crashes).clear(trx, 'bench_far'));
}

const lyceum = await startTestHost({
  modules: ['bench_near', 'bench_far'],
  folders: [new URL('./packages', import.meta.url).pathname],
});
await costs(lyceum);
for (const how of ['nothing', 'loop', 'leak'] as const) await harm(lyceum, how);
await lyceum.stop();
await stopTestPostgres();
process.exit(0);
