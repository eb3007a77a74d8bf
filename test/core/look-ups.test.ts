import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOptions } from '../../core/db/database.ts';
import { LookUps } from '../../core/db/look-ups.ts';
import { isDatabaseDown } from '../../core/db/sql-errors.ts';
import { cloneDatabase, type TestDatabase } from '../kit/postgres.ts';

const double = { name: 'double', text: 'select $1::int * 2 as double, null as nothing' };
const half = { name: 'half', text: 'select 10 / $1::int as half' };
const who = { name: 'who', text: 'select pg_backend_pid() as pid' };

const parserOf = (oid: number) => pg.types.getTypeParser(oid, 'text') as (text: string) => unknown;

/** A way to the server that can be cut without telling either side. */
class Cable {
  readonly #sockets: Socket[] = [];
  readonly #server: Server;

  constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      this.#sockets.push(near, far);
      near.pipe(far).pipe(near);
    });
  }

  async plug(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections of now swallow everything; new ones work. */
  cut(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async pull(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe('look-ups', () => {
  let database: TestDatabase;
  const open: LookUps[] = [];

  const lookUps = (url: string, patienceMs: number): LookUps => {
    const made = new LookUps({
      connection: { ...connectionOptions(url, 'test'), connectionTimeoutMillis: 4_000 },
      parserOf,
      patienceMs,
      log: pino({ level: 'silent' }),
    });
    open.push(made);
    return made;
  };

  before(async () => {
    database = await cloneDatabase('empty');
  });

  after(async () => {
    await Promise.all(open.map((each) => each.close()));
    await database.drop();
  });

  it('bring each question its own answer, also when others fail', async () => {
    const asking = lookUps(database.url, 4_000);
    const given = Array.from({ length: 200 }, (_none, at) => at);
    const answers = await Promise.allSettled(
      given.map((n) => (n % 3 === 0 ? asking.ask(half, [0]) : asking.ask(double, [n]))),
    );
    for (const [n, answer] of answers.entries()) {
      if (n % 3 === 0) expect(answer).to.have.nested.property('reason.code', '22012');
      else expect(answer).to.deep.include({ value: [{ double: n * 2, nothing: null }] });
    }
  });

  it('send nothing of a question whose values cannot be written', async () => {
    const asking = lookUps(database.url, 4_000);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const answers = await Promise.allSettled([
      asking.ask(double, [1]),
      asking.ask(double, [circle]),
      asking.ask(double, [2]),
      asking.ask(double, [circle]),
      asking.ask(double, [3]),
    ]);
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0] : null))).to.deep.equal([
      { double: 2, nothing: null },
      null,
      { double: 4, nothing: null },
      null,
      { double: 6, nothing: null },
    ]);
  });

  it('refuse two statements of one name', async () => {
    const asking = lookUps(database.url, 4_000);
    await Promise.all([asking.ask(double, [1]), asking.ask(double, [1])]);
    const other = { name: double.name, text: 'select 1 as one' };
    const [answer] = await Promise.allSettled([asking.ask(other, [])]);
    expect(answer).to.have.nested.property('reason.message').that.includes('the name double');
  });

  it('go on over a new connection when the server ended theirs', async () => {
    const asking = lookUps(database.url, 4_000);
    const [first, second] = await Promise.all([asking.ask(who, []), asking.ask(who, [])]);
    const client = new pg.Client(database.url);
    await client.connect();
    const pids = [first, second].map((rows) => (rows[0] as { pid: number }).pid);
    await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
    await client.end();
    // Whoever asks while the end of the old ones is under way may be refused, as an outage of the database.
    for (let served = false; !served; ) {
      const answers = await Promise.allSettled([asking.ask(double, [2]), asking.ask(double, [2])]);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(isDatabaseDown(answer.reason)).to.equal(true);
      }
      served = answers.every((answer) => answer.status === 'fulfilled');
    }
  });

  it('are given up when the way to the server swallows them, and go another way then', async () => {
    const target = new URL(database.url);
    const cable = new Cable(target);
    const url = new URL(database.url);
    url.port = String(await cable.plug());
    const asking = lookUps(url.href, 400);
    await Promise.all([asking.ask(double, [1]), asking.ask(double, [1])]);
    cable.cut();
    const started = performance.now();
    const answers = await Promise.allSettled([asking.ask(double, [2]), asking.ask(double, [2])]);
    expect(performance.now() - started).to.be.greaterThan(200);
    for (const answer of answers) {
      expect(answer.status).to.equal('rejected');
      expect(isDatabaseDown((answer as PromiseRejectedResult).reason)).to.equal(true);
    }
    expect(await asking.ask(double, [4])).to.deep.equal([{ double: 8, nothing: null }]);
    await asking.close();
    await cable.pull();
  });
});
