import { type HostProcess, killWorker, startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PinKit, wrong } from './pin-kit.ts';

type Answer = { readonly status: number; readonly code: string | undefined };

let next = 0;

/** Each from a neighbourhood of its own, so that only the login's limits count. */
async function guess({ origin }: Pick<HostProcess, 'origin'>, login: string, pin: string): Promise<Answer> {
  next += 1;
  const response = await fetch(`${origin}/api/svc/passwordless/v1/verify`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `10.${100 + Math.floor(next / 250)}.${next % 250}.1`,
    },
    body: JSON.stringify({ login, pin }),
  });
  const body = (await response.json()) as { code?: string };
  return { status: response.status, code: body.code };
}

function count(answers: readonly Answer[]): Record<number, number> {
  const found: Record<number, number> = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
}

describe('passwordless: guesses over two processes', function () {
  this.timeout(60_000);
  let kit: PinKit;
  let processes: HostProcess[];

  const start = () => Promise.all([0, 1].map(() => startServer(kit.lyceum, ['passwordless'])));
  const stop = () => Promise.all(processes.map(({ child }) => killWorker(child)));
  const many = (times: number, login: string, pin: (at: number) => string): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: times }, (_, at) => guess(processes[at % 2] ?? kit.lyceum, login, pin(at))),
    );

  before(async () => {
    kit = await PinKit.start();
    await kit.lyceum.make.settings('passwordless', { request_interval: 0 });
    processes = await start();
  });
  after(async () => {
    await stop();
    await kit.lyceum.stop();
  });

  const attempts = async (userId: number): Promise<number> =>
    (await kit.lyceum.host.db.knex('passwordless_challenges').where({ user_id: userId }).first('attempts'))
      .attempts;

  it('compares five of 200 at once, and none more after a restart', async () => {
    const ann = await kit.lyceum.make.user({ role: 'author' });
    const pin = await kit.pin(ann);
    const answers = await many(200, ann.login, (at) => wrong(pin, at + 1));
    expect(count(answers)).to.deep.equal({ 403: 5, 429: 195 });
    expect(await attempts(ann.id)).to.equal(5);
    await stop();
    processes = await start();
    expect(count(await many(20, ann.email, () => pin))).to.deep.equal({ 429: 20 });
    expect(await attempts(ann.id)).to.equal(5);
    expect(await kit.lyceum.host.db.knex('sessions').where({ user_id: ann.id })).to.deep.equal([]);
  });

  it('answers 200 at once at a login that nobody has as at any other', async () => {
    const answers = await many(200, 'nobody.at.all', () => '123456');
    expect(count(answers)).to.deep.equal({ 403: 5, 429: 195 });
  });

  it('counts ten for one account in an hour, whatever its locks', async () => {
    const ann = await kit.lyceum.make.user({ role: 'author' });
    const pin = await kit.pin(ann);
    const counts: Record<number, number>[] = [];
    for (let round = 0; round < 3; round += 1) {
      counts.push(count(await many(40, ann.login, (at) => wrong(pin, at + 1))));
      await kit.lyceum.host.db.knex('passwordless_locks').update({ locked_until: new Date(Date.now() - 1) });
    }
    expect(counts).to.deep.equal([{ 403: 5, 429: 35 }, { 403: 5, 429: 35 }, { 429: 40 }]);
  });

  it('opens one session for 100 right codes at once', async () => {
    const ann = await kit.lyceum.make.user({ role: 'author' });
    const pin = await kit.pin(ann);
    const answers = await many(100, ann.login, () => pin);
    expect(count(answers)[200]).to.equal(1);
    expect(answers.every(({ status }) => [200, 403, 429].includes(status))).to.equal(true);
    expect(await kit.lyceum.host.db.knex('sessions').where({ user_id: ann.id })).to.have.length(1);
  });

  it('counts twenty from one address, however many logins they are aimed at', async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        fetch(`${processes[at % 2]?.origin}/api/svc/passwordless/v1/verify`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.77' },
          body: JSON.stringify({ login: `target-${at}`, pin: '123456' }),
        }).then(({ status }) => ({ status, code: undefined })),
      ),
    );
    expect(count(answers)).to.deep.equal({ 403: 20, 429: 100 });
  });
});
