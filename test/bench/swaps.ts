import { appendFile, rm } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { writeModule } from '../../core/author/new-module.ts';
import { Packages } from '../../core/boot/packages.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { PackageFolder } from '../kit/package-folder.ts';
import { stopTestPostgres } from '../kit/postgres.ts';

/**
 * What the process keeps of packages that were replaced: Node cannot forget an ES module. Three packages, each
 * replaced fifty times: the starter as it is, one whose service holds a megabyte, and one whose file does.
 */
const swaps = Number(process.env.BENCH_SWAPS ?? 50);
const warmUps = 5;
const megabyte = 'Array.from({ length: 131_072 }, (_, n) => n + 0.5)';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const actor = { site: { blog_id: 1, network_id: 1 }, user: null, ip: null, requestId: null };

interface Kind {
  readonly title: string;
  /** What the store's file gets at its end, so that it differs from one copy to the next. */
  readonly added: string;
}

const kinds: readonly Kind[] = [
  { title: 'the starter as it is', added: '' },
  {
    title: 'a service that holds 1 MiB',
    added: `\nNoteStore.prototype.held = function () { this.big ??= ${megabyte}; };\n`,
  },
  { title: 'a file that holds 1 MiB', added: `\nexport const big = ${megabyte};\n` },
];

/** Bytes in use when nothing is left to collect; what was retired is stopped in a later turn of the event loop. */
async function inUse(): Promise<{ readonly heap: number; readonly rss: number }> {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

async function swap(lyceum: TestHost, folder: PackageFolder, n: number): Promise<number> {
  await appendFile(folder.at('swapped', 'note-store.ts'), `// ${n}\n`);
  const began = performance.now();
  const { updated } = await lyceum.host.services.host(Packages).rescan(actor);
  if (updated.length !== 1) throw new Error('The package was not replaced.');
  const took = performance.now() - began;
  // Makes the service, as a request would.
  const spec = lyceum.host.modules.get('swapped')?.spec;
  const provided = spec?.services?.((token) => ({ token, needs: [], make: () => null }) as never) ?? [];
  for (const { token } of provided) {
    const service = lyceum.host.services.resolve(spec as never)(token) as { held?: () => void };
    service.held?.();
  }
  return took;
}

async function measure({ title, added }: Kind): Promise<void> {
  const folder = await PackageFolder.make();
  await writeModule('swapped', folder.at('swapped'));
  await rm(folder.at('swapped', 'test'), { recursive: true });
  await appendFile(folder.at('swapped', 'note-store.ts'), added);
  const lyceum = await startTestHost({ package: folder.at('swapped') });
  const times: number[] = [];
  for (let n = 0; n < warmUps; n += 1) await swap(lyceum, folder, n);
  const before = await inUse();
  for (let n = 0; n < swaps; n += 1) times.push(await swap(lyceum, folder, warmUps + n));
  const after = await inUse();
  const kibibytes = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  print(
    `${title.padEnd(34)} ${kibibytes(after.heap - before.heap).padStart(10)} in ${swaps} swaps, ` +
      `${kibibytes((after.heap - before.heap) / swaps)} each; process ${kibibytes(after.rss - before.rss)}; ` +
      `${median.toFixed(0)} ms a swap`,
  );
  await lyceum.stop();
  await folder.remove();
}

for (const kind of kinds) await measure(kind);
await stopTestPostgres();
