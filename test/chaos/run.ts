import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { killBackends } from './kill-backends.ts';
import { killCopies } from './kill-copies.ts';
import { killSiteJobs } from './kill-site-jobs.ts';
import { killWorkers } from './kill-workers.ts';
import { raceCancels } from './race-cancels.ts';
import { stopServers } from './stop-servers.ts';
import { stopWorkers } from './stop-workers.ts';
import { type StormPlan, toggleStorm } from './toggle-storm.ts';

/** A line of figures, and whether they are what is promised. */
interface Outcome {
  readonly figures: object;
  readonly kept: boolean;
}

async function storm(plan: StormPlan): Promise<Outcome> {
  const figures = await toggleStorm(plan);
  const { odd, late, jobsLeft, longestJobMs } = figures;
  return { figures, kept: odd + late + jobsLeft === 0 && longestJobMs <= 1_000 };
}

/**
 * Every trial with real processes: kills, stops and races at random moments. Prints the figures of each in one line,
 * and ends with 1 when one of them broke a promise. `npm run chaos -- cancels stops` runs these only.
 */
const trials: Readonly<Record<string, { readonly title: string; readonly run: () => Promise<Outcome> }>> = {
  kills: {
    title: 'jobs under kill -9 of their worker',
    run: async () => {
      const plan = { jobs: 200, kills: 100, stepsPerJob: 10, stepMs: 50, longestLifeMs: 1_500 };
      const figures = await killWorkers(plan);
      const { lost, failed, twice, missing, longestOrphanMs } = figures;
      return { figures, kept: lost + failed + twice + missing === 0 && longestOrphanMs <= 30_000 };
    },
  },
  backends: {
    title: 'rows and their jobs while backends are terminated',
    run: async () => {
      const figures = await killBackends({ kills: 100, clients: 6, longestPauseMs: 200 });
      const { jobsWithoutTicket, ticketsWithoutJob, sitesWithoutJob, answeredWithoutJob } = figures;
      const orphans = jobsWithoutTicket + ticketsWithoutJob + sitesWithoutJob + answeredWithoutJob;
      return { figures, kept: orphans + figures.lost + figures.wrong + figures.ticketsLeft === 0 };
    },
  },
  stops: {
    title: 'running jobs under SIGTERM of their worker',
    run: async () => {
      const figures = await stopWorkers({ jobs: 40, deaf: 2, stops: 20, stepsPerJob: 150, stepMs: 50 });
      const { completed, losses, twice, missing, disagreeing, badExits, longestStopMs } = figures;
      const whole = losses + twice + missing + disagreeing + badExits === 0 && completed === 40;
      return { figures, kept: whole && longestStopMs <= 30_000 };
    },
  },
  cancels: {
    title: 'cancel and stop racing the finish',
    run: async () => {
      const figures = await raceCancels({ races: 1_000, atOnce: 8, stops: 10 });
      const { other, left, belied, wrongEvents, wrongEffects } = figures;
      return { figures, kept: other + left + belied + wrongEvents + wrongEffects === 0 };
    },
  },
  servers: {
    title: 'requests under SIGTERM of their server',
    run: async () => {
      const figures = await stopServers({ stops: 10, clients: 32, longPolls: 100, loadMs: 2_000 });
      const { failed, failedPolls, badExits, lostJobs, longestExitMs } = figures;
      return { figures, kept: failed + failedPolls + badExits + lostJobs === 0 && longestExitMs <= 10_000 };
    },
  },
  copies: {
    title: 'a copy of a site under kill -9',
    run: async () => {
      // The fifth lost worker would fail the job.
      const figures = await killCopies({ posts: 5_000, files: 200, kills: 4 });
      const { status, posts, files, strangeSlugs, orphans, map } = figures;
      const whole = status === 'completed' && posts === 5_000 && files === 200;
      return { figures, kept: whole && strangeSlugs + orphans + map === 0 };
    },
  },
  sites: {
    title: 'rewriting and purge of a site under kill -9',
    run: async () => {
      const figures = await killSiteJobs({ posts: 10_000, kills: 4 });
      const { rewrite, purge } = figures;
      const wrong = rewrite.wrongPosts + purge.rowsLeft + purge.filesLeft;
      const same = rewrite.sameResult && purge.sameResult;
      return {
        figures,
        kept: wrong === 0 && same && [rewrite, purge].every(({ status }) => status === 'completed'),
      };
    },
  },
  toggles: {
    title: 'a module switched under load of two processes',
    run: () => storm({ toggles: 50, kills: 0, parallel: 8, stayMs: 200 }),
  },
  storm: {
    title: 'a module switched while the processes are killed',
    run: () => storm({ toggles: 1_000, kills: 50, parallel: 4, stayMs: 50 }),
  },
};

registerResolveHooks();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(trials, name));
if (unknown.length > 0)
  throw new Error(`There is no trial ${unknown.join(', ')}: ${Object.keys(trials).join(', ')}.`);
let kept = true;
for (const [name, { title, run }] of Object.entries(trials)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const outcome = await run();
  kept &&= outcome.kept;
  process.stdout.write(
    `${outcome.kept ? 'kept  ' : 'BROKEN'} ${title}: ${JSON.stringify(outcome.figures)}\n`,
  );
}
await stopTestPostgres();
process.exit(kept ? 0 : 1);
