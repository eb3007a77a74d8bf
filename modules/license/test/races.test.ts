import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Asked, type EddServer, json, route } from './license-kit.ts';
import { useWorld } from './world.ts';

const key = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';

/** Holds the server's next answer to an action back until it is told what to say. */
function hold(server: EddServer, action: string): { heard: Promise<Asked>; answer(body: object): void } {
  let say: (body: object) => void = () => undefined;
  const heard = new Promise<Asked>((resolve) => {
    server.respond = (asked, response) => {
      if (asked.edd_action !== action) return json(response, { success: true, license: 'valid' });
      server.respond = (_asked, later) => json(later, { success: true, license: 'valid' });
      say = (body) => json(response, body);
      resolve(asked);
    };
  });
  return { heard, answer: (body) => say(body) };
}

describe('license: at the same time', () => {
  const world = useWorld();
  let beside: TestHost;
  let there: Client;
  before(async () => {
    beside = await startTestHost({ modules: ['license'], now: () => world.now, beside: world.lyceum });
    there = beside.as(await world.lyceum.make.admin());
  });
  // Before the world ends, with the database of both.
  world.atEnd(() => beside.stop());

  const activate = (client: Client, license_key: string) =>
    client.post(`${route}/svclms/activate`, { license_key });

  it('one change of a license goes on, in all processes', async () => {
    const held = hold(world.server, 'activate_license');
    const first = activate(world.admin, key).then((answer) => answer);
    await held.heard;
    expect((await activate(there, other).expect(409)).body.code).to.equal('license_busy');
    held.answer({ success: true, license: 'valid' });
    expect((await first).status).to.equal(200);
    const release = hold(world.server, 'deactivate_license');
    const going = world.admin.post(`${route}/svclms/deactivate`, {}).then((answer) => answer);
    await release.heard;
    expect((await there.post(`${route}/svclms/deactivate`, {}).expect(409)).body.code).to.equal(
      'license_busy',
    );
    expect((await activate(there, other).expect(409)).body.code).to.equal('license_busy');
    release.answer({ success: true, license: 'deactivated' });
    expect((await going).body.status).to.equal('inactive');
  });

  it('many activations leave one license and one seat', async () => {
    const keys = Array.from({ length: 10 }, (_, at) => `key-number-${at}`);
    for (const one of keys) world.server.sell(one, { limit: 1 });
    const answers = await Promise.all(
      keys.map((one, at) => activate(at % 2 === 0 ? world.admin : there, one)),
    );
    const codes = answers.map((answer) => answer.status);
    expect(codes).to.include(200);
    for (const code of codes) expect(code).to.be.oneOf([200, 409]);
    const taken = [...world.server.sold].filter(([, { sites }]) => sites.size > 0).map(([one]) => one);
    expect(taken).to.have.length(1);
    expect((await world.status()).license_key).to.equal(`****${taken[0]?.slice(-4)}`);
  });

  it('an answer about a key that was replaced changes nothing', async () => {
    world.server.sell(key);
    world.server.sell(other);
    await activate(world.admin, key).expect(200);
    const held = hold(world.server, 'check_license');
    const checking = world.refreshed();
    await held.heard;
    await activate(there, other).expect(200);
    held.answer({ success: true, license: 'disabled' });
    expect(await checking).to.include({ status: 'valid', license_key: '****3210' });
    expect(await world.status()).to.include({ status: 'valid', license_key: '****3210' });
  });

  it('an answer about a license that was released brings it back by no means', async () => {
    world.server.sell(key);
    await activate(world.admin, key).expect(200);
    const held = hold(world.server, 'check_license');
    const checking = world.refreshed();
    await held.heard;
    await there.post(`${route}/svclms/deactivate`, { force: true }).expect(200);
    held.answer({ success: true, license: 'valid' });
    expect(await checking).to.include({ status: 'inactive', license_key: null });
  });

  it('of two checks the one that began later is believed', async () => {
    world.server.sell(key);
    await activate(world.admin, key).expect(200);
    const held = hold(world.server, 'check_license');
    const first = world.refreshed();
    await held.heard;
    expect(await world.refreshed()).to.include({ status: 'valid' });
    held.answer({ success: true, license: 'disabled' });
    expect(await first).to.include({ status: 'valid' });
  });

  it('a process that died while it activated keeps nobody out for long, and the seat is found', async () => {
    const { knex } = world.lyceum.host.db;
    const url = world.lyceum.host.addresses.site({ domain: 'localhost', path: '/' });
    world.server.sell(key, { limit: 1 }).sites.add(url);
    const turn = {
      network_id: 1,
      blog_id: 0,
      product_id: 'svclms',
      token: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    };
    await knex('license_turns').insert({ ...turn, until: knex.raw("now() + interval '20 seconds'") });
    await activate(world.admin, key).expect(409);
    await knex('license_turns').update({ until: knex.raw("now() - interval '1 millisecond'") });
    expect((await activate(world.admin, key).expect(200)).body).to.include({ status: 'valid' });
    expect(world.server.sold.get(key)?.sites.size).to.equal(1);
  });

  it('an activation that lost its turn stores nothing', async () => {
    const held = hold(world.server, 'activate_license');
    const first = activate(world.admin, key).then((answer) => answer);
    await held.heard;
    await world.lyceum.host.db.knex('license_turns').delete();
    held.answer({ success: true, license: 'valid' });
    const answer = await first;
    expect([answer.status, answer.body.code]).to.deep.equal([409, 'license_busy']);
    expect(await world.status()).to.include({ status: 'inactive' });
  });

  it('an activation longer than a sign of life keeps its turn', async () => {
    const held = hold(world.server, 'activate_license');
    const first = activate(world.admin, key).then((answer) => answer);
    await held.heard;
    const { knex } = world.lyceum.host.db;
    const until = async (): Promise<string> => (await knex('license_turns').first('until')).until;
    const begun = await until();
    while ((await until()) <= begun) await new Promise((resolve) => setImmediate(resolve));
    held.answer({ success: true, license: 'valid' });
    expect((await first).status).to.equal(200);
    expect(await knex('license_turns')).to.have.length(0);
  });

  it('a site that is removed meanwhile gets no license', async () => {
    const site = await world.lyceum.make.site();
    const held = hold(world.server, 'activate_license');
    const body = { license_key: key, scope: 'site' };
    const first = world.admin
      .post(`${route}/svclms/activate?blog_id=${site.blog_id}`, body)
      .then((answer) => answer);
    await held.heard;
    await world.lyceum.host.db.knex('sites').where({ blog_id: site.blog_id }).update({ state: 'removed' });
    held.answer({ success: true, license: 'valid' });
    const answer = await first;
    expect([answer.status, answer.body.code]).to.deep.equal([404, 'site_not_found']);
    expect(await world.lyceum.host.db.knex('licenses')).to.have.length(0);
  });

  it('an activation again keeps the day of the first', async () => {
    world.server.sell(key);
    const { body: first } = await activate(world.admin, key).expect(200);
    world.now = new Date(world.now.getTime() + 60_000);
    const { body: again } = await activate(world.admin, key).expect(200);
    expect(again.activated_at).to.equal(first.activated_at);
    expect(again.checked_at).to.equal(world.now.toISOString());
  });
});
