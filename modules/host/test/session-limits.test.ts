import { hashPassword } from '@lyceum/core';
import { adminPassword, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const password = 'a password of ann';
let addresses = 0;

/** An address that nothing was counted for yet. */
const freshAddress = (): string => {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
};

const attempt = (lyceum: TestHost, login: string, given: string, address: string) =>
  lyceum
    .as({ headers: { 'X-Forwarded-For': address } })
    .post('svc/host/v1/session', { login, password: given });

const times = <T>(count: number, make: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

function count(answers: readonly { status: number }[]): Record<number, number> {
  const found: Record<number, number> = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
}

describe('limits of session', () => {
  let lyceum: TestHost;
  let second: TestHost;
  before(async () => {
    const config = { trustedProxies: ['127.0.0.1'] };
    lyceum = await startTestHost({ modules: [], config });
    second = await startTestHost({ modules: [], config, beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });

  const person = async () => {
    const user = await lyceum.make.user();
    await lyceum.host.db
      .knex('users')
      .where({ id: user.id })
      .update({ password_hash: await hashPassword(password) });
    return user;
  };

  it('refuses the right password after 10 failures, by login and e-mail together', async () => {
    const ann = await person();
    const live = (await lyceum.make.session(ann.id)).signed;
    const address = freshAddress();
    for (let failure = 1; failure <= 10; failure += 1) {
      const name = failure % 2 === 0 ? ann.login.toUpperCase() : ann.email;
      expect((await attempt(lyceum, name, 'wrong', address)).status).to.equal(401);
    }
    for (const [host, name] of [
      [lyceum, ann.login],
      [second, ann.email],
    ] as const) {
      const locked = await attempt(host, name, password, freshAddress()).expect(429);
      expect(locked.body.code).to.equal('rest_too_many_requests');
      expect(Number(locked.headers['retry-after'])).to.be.within(880, 900);
      expect(locked.headers['set-cookie']).to.equal(undefined);
    }
    // Nobody else is locked, and neither a session nor an application password of the account is.
    await lyceum.as(live).get('svc/host/v1/session').expect(200);
    await lyceum.as(ann).get('svc/host/v1/users/me').expect(200);
    await attempt(lyceum, 'admin', adminPassword, address).expect(200);
  });

  it('opens again when the time has passed', async () => {
    const ann = await person();
    await times(10, () => attempt(lyceum, ann.login, 'wrong', freshAddress()));
    await attempt(lyceum, ann.login, password, freshAddress()).expect(429);
    await lyceum.host.db.knex('rate_limits').update({ expire: Date.now() - 1 });
    await attempt(lyceum, ann.login, password, freshAddress()).expect(200);
  });

  it('forgets counters and sessions whose time is over', async () => {
    const { knex } = lyceum.host.db;
    const ann = await person();
    await lyceum.make.session(ann.id);
    await knex('sessions')
      .where({ user_id: ann.id })
      .update({ expires_at: new Date(Date.now() - 1) });
    await knex('rate_limits').insert({ key: 'login:name:old', points: 3, expire: Date.now() - 1 });
    await attempt(lyceum, 'somebody', 'wrong', freshAddress()).expect(401);
    await attempt(lyceum, 'admin', adminPassword, freshAddress()).expect(200);
    expect(await knex('rate_limits').where({ key: 'login:name:old' })).to.deep.equal([]);
    expect(await knex('sessions').where({ user_id: ann.id })).to.deep.equal([]);
  });

  it('tells 10 of 50 parallel wrong attempts, over two processes', async () => {
    const ann = await person();
    const answers = await times(50, (index) =>
      attempt(index % 2 === 0 ? lyceum : second, ann.login, 'wrong', freshAddress()),
    );
    expect(count(answers)).to.deep.equal({ 401: 10, 429: 40 });
  });

  it('counts an unknown name for itself, and answers it like a known one', async () => {
    const answers = await times(50, (index) =>
      attempt(index % 2 === 0 ? lyceum : second, 'Nobody.At.All', 'wrong', freshAddress()),
    );
    expect(count(answers)).to.deep.equal({ 401: 10, 429: 40 });
    await attempt(lyceum, 'nobody.at.all2', 'wrong', freshAddress()).expect(401);
  });

  it('counts no right password, however many come at once', async () => {
    const ann = await person();
    const address = freshAddress();
    const answers = await times(60, (index) =>
      attempt(index % 2 === 0 ? lyceum : second, ann.login, password, address),
    );
    expect(count(answers)).to.deep.equal({ 200: 60 });
  });

  it('refuses everything from an address after 50 failures, an IPv6 line counting as one', async () => {
    for (const [failing, same, other] of [
      ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
      ['2001:db8:1:2::5', '2001:db8:1:2:ffff::9', '2001:db8:1:3::5'],
    ] as const) {
      const failures = await times(60, (index) =>
        attempt(index % 2 === 0 ? lyceum : second, `unknown${index}`, 'wrong', failing),
      );
      expect(count(failures)).to.deep.equal({ 401: 50, 429: 10 });
      await attempt(lyceum, 'admin', adminPassword, same).expect(429);
      await attempt(lyceum, 'admin', adminPassword, other).expect(200);
    }
  });

  it('does the same work for a known and an unknown login', async () => {
    const known = [await person(), await person()];
    const took = async (login: string): Promise<number> => {
      const started = performance.now();
      await attempt(lyceum, login, 'wrong', freshAddress()).expect(401);
      return performance.now() - started;
    };
    const samples: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    // Taken in turns, so that whatever else the machine does falls on both.
    for (let round = 0; round < 16; round += 1) {
      samples.known.push(await took(known[round % 2]?.login ?? ''));
      samples.unknown.push(await took(`missing${round}`));
    }
    const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length / 2] ?? 0;
    // Checking a password is most of the time: without it an unknown login would take less than a fifth.
    expect(median(samples.unknown) / median(samples.known)).to.be.within(0.5, 2);
  });
});
