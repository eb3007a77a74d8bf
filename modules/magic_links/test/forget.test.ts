import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { LinkKit } from './link-kit.ts';

describe('magic_links: links that are over', () => {
  it('are deleted 90 days after their end', async () => {
    const kit = await LinkKit.start();
    const { knex } = kit.lyceum.host.db;
    const ann = await kit.person();
    const ids: number[] = [];
    for (let made = 0; made < 3; made += 1)
      ids.push((await kit.make({ user_id: ann.id }).expect(201)).body.id);
    for (const [at, days] of [
      [0, 91],
      [1, 89],
    ] as const) {
      await knex('magic_links')
        .where({ id: ids[at] })
        .update({ expires_at: knex.raw('now() - make_interval(days => ?)', [days]) });
    }
    await runSchedule(kit.lyceum, 'magic_links.forget');
    expect(await knex('magic_links').orderBy('id').pluck('id')).to.deep.equal(ids.slice(1));
    await kit.lyceum.stop();
  });
});
