import { expect } from 'chai';
import { killBackends } from '../chaos/kill-backends.ts';
import { killSiteJobs } from '../chaos/kill-site-jobs.ts';
import { killWorkers } from '../chaos/kill-workers.ts';
import { raceCancels } from '../chaos/race-cancels.ts';
import { stopServers } from '../chaos/stop-servers.ts';
import { stopWorkers } from '../chaos/stop-workers.ts';

/** Short runs of what `npm run chaos` does at length, each with real processes. */
describe('jobs under failure', function () {
  // A worker's silence is noticed after 10 to 20 s.
  this.timeout(120_000);

  it('are done once though their worker is killed', async () => {
    const plan = { jobs: 10, kills: 2, stepsPerJob: 20, stepMs: 20, longestLifeMs: 1_000 };
    const { completed, failed, lost, twice, missing } = await killWorkers(plan);
    expect({ completed, failed, lost, twice, missing }).to.deep.equal({
      ...{ completed: 10, failed: 0, lost: 0, twice: 0, missing: 0 },
    });
  });

  it('commit together with what caused them, whichever backend ends', async () => {
    const { requests, unavailable, jobs, ...figures } = await killBackends({
      ...{ kills: 12, clients: 4, longestPauseMs: 150 },
    });
    expect(jobs).to.be.above(0);
    expect(unavailable).to.be.below(requests);
    expect(figures).to.deep.equal({
      ...{ kills: 12, wrong: 0, jobsWithoutTicket: 0, ticketsWithoutJob: 0, sitesWithoutJob: 0 },
      ...{ answeredWithoutJob: 0, lost: 0, failed: {}, ticketsLeft: 0 },
    });
  });

  it('are handed back by a worker that is stopped, also over a handler that does not hear', async () => {
    const { looks, longestStopMs, ...figures } = await stopWorkers({
      ...{ jobs: 8, deaf: 1, stops: 2, stepsPerJob: 80, stepMs: 20 },
    });
    expect(looks).to.be.above(0);
    expect(longestStopMs).to.be.below(30_000);
    expect(figures).to.deep.equal({
      ...{ stops: 2, completed: 8, losses: 0, twice: 0, missing: 0, disagreeing: 0, badExits: 0 },
    });
  });

  it('end once when cancel and stop race the finish, and as the cancel was answered', async () => {
    const { completed, cancelled, ...figures } = await raceCancels({ races: 60, atOnce: 6, stops: 1 });
    expect(completed + cancelled).to.equal(60);
    expect(figures).to.deep.equal({
      ...{ races: 60, other: 0, left: 0, belied: 0, wrongEvents: 0, wrongEffects: 0, stops: 1 },
    });
  });

  it('cost no request in flight when a server stops, nor any that waits', async () => {
    const { requests, longestExitMs, ...figures } = await stopServers({
      ...{ stops: 1, clients: 8, longPolls: 100, loadMs: 500 },
    });
    expect(requests).to.be.above(0);
    expect(longestExitMs).to.be.below(10_000);
    expect(figures).to.deep.equal({
      ...{ stops: 1, failed: 0, longPolls: 100, failedPolls: 0, badExits: 0, lostJobs: 0 },
    });
  });

  it('of sites rewrite and purge once', async () => {
    const { rewrite, purge } = await killSiteJobs({ posts: 4_000, kills: 1 });
    expect(rewrite).to.include({ status: 'completed', sameResult: true, wrongPosts: 0 });
    expect(purge).to.include({ status: 'completed', sameResult: true, rowsLeft: 0, filesLeft: 0 });
  });
});
