import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
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
await stopTestPostgres();
process.exit(figures.lost + figures.failed + figures.twice + figures.missing === 0 ? 0 : 1);
