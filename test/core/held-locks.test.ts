import { expect } from 'chai';
import { pino } from 'pino';
import { Database } from '../../core/db/database.ts';
import { cloneDatabase, type TestDatabase } from '../kit/postgres.ts';

describe('locks for as long as work lasts', () => {
  const log = pino({ level: 'silent' });
  let database: TestDatabase;
  let here: Database;
  let there: Database;
  before(async () => {
    database = await cloneDatabase('started');
    [here, there] = [0, 1].map(() => new Database(database.url, { poolSize: 2, log })) as [
      Database,
      Database,
    ];
  });
  after(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });

  /** Work that lasts until it is let go. */
  function held(db: Database, name: string) {
    let letGo: (value: string) => void = () => undefined;
    let begun: () => void = () => undefined;
    const begins = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const ended = db.alone(name, () => {
      begun();
      return new Promise<string>((resolve) => {
        letGo = resolve;
      });
    });
    return { begins, ended, letGo: () => letGo('done') };
  }

  const connections = async (): Promise<number> => {
    const { rows } = await here.knex.raw(
      `select pid from pg_stat_activity where application_name = 'lyceum locks' and datname = current_database()`,
    );
    return rows.length;
  };

  it('are had by one at a time, in one process and over several, and nobody waits', async () => {
    const work = held(here, 'a');
    await work.begins;
    expect(await here.alone('a', async () => 'second')).to.equal(null);
    expect(await there.alone('a', async () => 'second')).to.equal(null);
    expect(await there.alone('b', async () => 'other')).to.deep.equal({ result: 'other' });
    work.letGo();
    expect(await work.ended).to.deep.equal({ result: 'done' });
    expect(await there.alone('a', async () => 'next')).to.deep.equal({ result: 'next' });
  });

  it('take one connection per process, whatever their number, and none when there are none', async () => {
    const works = ['c', 'd', 'e'].map((name) => held(here, name));
    await Promise.all(works.map((work) => work.begins));
    expect(await connections()).to.equal(1);
    for (const work of works) work.letGo();
    await Promise.all(works.map((work) => work.ended));
    expect(await connections()).to.equal(0);
  });

  it('end when the work throws, and what it threw is passed on', async () => {
    const thrown = await here
      .alone('f', async () => {
        throw new Error('broken');
      })
      .catch((error: Error) => error.message);
    expect(thrown).to.equal('broken');
    expect(await there.alone('f', async () => 1)).to.deep.equal({ result: 1 });
  });

  it('end with their connection', async () => {
    const work = held(here, 'g');
    await work.begins;
    await there.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'lyceum locks' and datname = current_database()`,
    );
    let got = await there.alone('g', async () => 'mine');
    while (got === null) got = await there.alone('g', async () => 'mine');
    expect(got).to.deep.equal({ result: 'mine' });
    work.letGo();
    expect(await work.ended).to.deep.equal({ result: 'done' });
    expect(await here.alone('g', async () => 'again')).to.deep.equal({ result: 'again' });
  });
});
