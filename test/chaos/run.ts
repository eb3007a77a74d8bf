import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { killCopies } from './kill-copies.ts';
import { killWorkers } from './kill-workers.ts';

registerResolveHooks();
const figures = await killWorkers({
  jobs: 200,
  kills: 100,
  stepsPerJob: 10,
  stepMs: 100,
  longestLifeMs: 1_500,
});
process.stdout.write(`jobs under kill -9: ${JSON.stringify(figures)}\n`);
// The fifth lost worker would fail the job.
const copy = await killCopies({ posts: 5_000, files: 200, kills: 4 });
process.stdout.write(`a copy of a site under kill -9: ${JSON.stringify(copy)}\n`);
await stopTestPostgres();
const jobsAreWhole = figures.lost + figures.failed + figures.twice + figures.missing === 0;
const copyIsWhole =
  copy.status === 'completed' &&
  copy.posts === 5_000 &&
  copy.files === 200 &&
  copy.strangeSlugs + copy.orphans + copy.map === 0;
process.exit(jobsAreWhole && copyIsWhole ? 0 : 1);
