import { expect } from 'chai';
import { killCopies } from '../chaos/kill-copies.ts';

describe('a copy of a site whose worker is killed', () => {
  it('is whole in the end, and has nothing twice', async () => {
    const { phases, ...figures } = await killCopies({ posts: 5_000, files: 20, kills: 1 });
    expect(figures).to.deep.equal({
      ...{ status: 'completed', posts: 5_000, files: 20, strangeSlugs: 0, orphans: 0, map: 0, kills: 1 },
    });
    expect(phases).to.deep.equal(['posts']);
  }).timeout(120_000);
});
