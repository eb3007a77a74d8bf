import { expect } from 'chai';
import { toggleStorm } from '../chaos/toggle-storm.ts';

describe('a module that is switched under load of two processes', () => {
  it('is wholly on or wholly off to every client, and its jobs go with its routes', async function () {
    this.timeout(120_000);
    const { answers, jobs, jobsWhileOff, toggleMs, ...figures } = await toggleStorm({
      ...{ toggles: 20, kills: 2, parallel: 4, stayMs: 100 },
    });
    expect(answers).to.be.above(100);
    expect(jobs).to.be.above(5);
    expect(figures.longestJobMs).to.be.below(1_000);
    expect({ ...figures, longestJobMs: 0 }).to.deep.equal({
      ...{ toggles: 21, kills: 2, odd: 0, late: 0, longestLateMs: 0, longestJobMs: 0, jobsLeft: 0 },
    });
  });
});
