import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PinKit, wrong } from './pin-kit.ts';

describe('passwordless: what is over', () => {
  it('is deleted, and nothing else: challenges a day after their end, locks and counts when nobody asks for them', async () => {
    const kit = await PinKit.start();
    await kit.lyceum.make.settings('passwordless', { request_interval: 0 });
    const { knex } = kit.lyceum.host.db;
    const people = await Promise.all(
      ['old', 'new'].map((login) => kit.lyceum.make.user({ login, role: 'author' })),
    );
    for (const ann of people) await kit.verify(ann.login, wrong(await kit.pin(ann))).expect(403);
    const old = people[0]?.id ?? 0;
    const key = knex('passwordless_challenges').where({ user_id: old }).select('login_key');
    await knex('passwordless_locks')
      .whereIn('login_key', key)
      .update({ window_start: knex.raw(`now() - interval '49 hours'`) });
    await knex('passwordless_challenges')
      .where({ user_id: old })
      .update({ expires_at: knex.raw(`now() - interval '25 hours'`) });
    const [counted] = await knex('passwordless_counts')
      .where('key', 'like', 'address %')
      .orderBy('key')
      .limit(1);
    await knex('passwordless_counts')
      .where({ key: counted.key })
      .update({ until: knex.raw('now()') });
    const before = Number((await knex('passwordless_counts').count({ n: '*' }).first())?.n);
    await runSchedule(kit.lyceum, 'passwordless.forget-expired');
    expect(await knex('passwordless_challenges').pluck('user_id')).to.deep.equal([people[1]?.id]);
    expect(await knex('passwordless_locks')).to.have.length(1);
    expect(await knex('passwordless_counts')).to.have.length(before - 1);
    await kit.lyceum.stop();
  });
});
