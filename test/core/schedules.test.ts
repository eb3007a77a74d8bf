import path from 'node:path';
import { expect } from 'chai';
import { hostCapabilities } from '../../core/auth/capabilities.ts';
import { Crashes } from '../../core/isolation/crashes.ts';
import { Schedules } from '../../core/jobs/schedules.ts';
import { checkDeclaration } from '../../core/registry/check-declaration.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

interface Turn {
  readonly schedule: string;
  readonly began: string;
  readonly ended: string | null;
  readonly aborted: boolean;
}

describe('schedules', () => {
  const hosts: TestHost[] = [];
  const boot = async (workers: 'inline' | 'off'): Promise<TestHost> => {
    const [beside] = hosts;
    const host = await startTestHost({
      modules: ['test_clock', 'test_stumble'],
      folders: [path.join(import.meta.dirname, 'packages')],
      config: { workers },
      ...(beside ? { beside } : {}),
    });
    hosts.push(host);
    return host;
  };
  afterEach(async () => {
    for (const host of hosts.splice(0).reverse()) await host.stop();
  });

  const turns = async (schedule: string): Promise<Turn[]> =>
    (await hosts[0]?.host.db.knex('test_turns').where({ schedule }).orderBy('began')) as Turn[];
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
  };
  const run = ({ host }: TestHost, id: string): Promise<boolean> =>
    host.services.host(Schedules).runNow(`test_clock.${id}`);

  it('come again in their time, each turn in one process of many', async () => {
    await boot('inline');
    await boot('inline');
    await until(async () => (await turns('tick')).filter(({ ended }) => ended !== null).length >= 3);
    const done = (await turns('tick')).filter(({ ended }) => ended !== null);
    const gaps = done.slice(1).map(({ began }, at) => Date.parse(began) - Date.parse(done[at]?.ended ?? ''));
    for (const gap of gaps) expect(gap).to.be.within(950, 3_000);
  });

  it('do not run in a process that only serves, unless it is asked', async () => {
    const server = await boot('off');
    await run(server, 'tick');
    await run(server, 'tick');
    expect(await turns('tick')).to.have.length(2);
    expect(await turns('stumble')).to.have.length(0);
  });

  it('are never in two processes at a time', async () => {
    const first = await boot('off');
    const second = await boot('off');
    const holding = run(first, 'hold');
    await until(async () => (await turns('hold')).length === 1);
    expect(await run(second, 'hold')).to.equal(false);
    expect(await turns('hold')).to.have.length(1);
    await first.host.services.host(Schedules).stop();
    expect(await holding).to.equal(true);
    expect(await turns('hold')).to.have.nested.property('[0].aborted', true);
    const again = run(second, 'hold');
    await until(async () => (await turns('hold')).length === 2);
    await second.host.services.host(Schedules).stop();
    expect(await again).to.equal(true);
  });

  it('are taken over from a process that is gone', async () => {
    const first = await boot('off');
    await run(first, 'tick');
    const { knex } = first.host.db;
    const row = () => knex('schedules').where('id', 'test_clock.tick');
    await row().update({
      turn: '00000000-0000-4000-8000-000000000000',
      turn_until: knex.raw("now() + interval '1 minute'"),
    });
    expect(await run(first, 'tick')).to.equal(false);
    await row().update({ turn_until: knex.raw("now() - interval '1 second'") });
    expect(await run(first, 'tick')).to.equal(true);
  });

  it('that fail come again and harm no other, until their module is off for it', async () => {
    const { db, services } = (await boot('inline')).host;
    const halted = () => services.host(Crashes).halted();
    await until(async () => (await halted()).has('test_stumble'));
    const before = (await turns('tick')).length;
    await until(async () => (await turns('tick')).length >= before + 2);
    expect(await turns('stumble')).to.have.length(3);
    expect([...(await halted())]).to.deep.equal(['test_stumble']);
    await db.transaction((trx) => services.host(Crashes).clear(trx, 'test_stumble'));
    expect((await halted()).size).to.equal(0);
  });

  it('are told to end when the process stops, which waits for them', async () => {
    await boot('off');
    const worker = await boot('inline');
    await until(async () => (await turns('hold')).length === 1);
    hosts.pop();
    await worker.stop();
    expect(await turns('hold')).to.have.nested.property('[0].aborted', true);
  });

  it('are refused when they are declared wrongly', () => {
    const refused = (schedule: object): void =>
      checkDeclaration({ id: 'clock', title: 'Clock', schedules: [schedule] }, 'clock', hostCapabilities);
    const good = { id: 'clock.tick', title: 'Tick', everySeconds: 60, run: async () => undefined };
    expect(() => refused(good)).not.to.throw();
    expect(() => refused({ ...good, id: 'other.tick' })).to.throw(/must begin with "clock\."/);
    expect(() => refused({ ...good, everySeconds: 0 })).to.throw(/everySeconds/);
    expect(() => refused({ ...good, everySeconds: '60' })).to.throw(/everySeconds/);
    expect(() => refused({ ...good, run: 'now' })).to.throw(/defineSchedule/);
  });
});
