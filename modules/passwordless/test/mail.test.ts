import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { jobsEnded, MailServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PinKit, pinIn } from './pin-kit.ts';

describe('passwordless: mails by a server', () => {
  let server: MailServer;
  let kit: PinKit;
  beforeEach(async () => {
    server = new MailServer();
    kit = await PinKit.start({ config: { smtpUrl: await server.listen() } });
  });
  afterEach(async () => {
    await kit.lyceum.stop();
    await server.close();
  });

  const job = () => kit.lyceum.host.db.knex('jobs').where({ type: 'passwordless.mail' }).first();

  it('are tried again with another code when the server was not ready', async () => {
    const ann = await kit.lyceum.make.user({ role: 'author' });
    let hash: Buffer | null = null;
    server.refuses = () => (server.refused.length === 0 ? 451 : null);
    await kit.request(ann.login).expect(200);
    await server.until(() => server.refused.length === 1);
    const { knex } = kit.lyceum.host.db;
    const challenge = () => knex('passwordless_challenges').where({ user_id: ann.id }).first();
    hash = (await challenge()).pin_hash;
    const [delivered] = await server.mailsTo(ann.email, 1);
    await jobsEnded(kit.lyceum);
    expect((await challenge()).pin_hash).not.to.deep.equal(hash);
    expect((await challenge()).sent_at).to.be.a('string');
    expect(await job()).to.deep.include({ status: 'completed', tries: 1, result: { sent: true } });
    await kit.verify(ann.login, pinIn(delivered?.mail.text ?? '')).expect(200);
  });

  it('are given up when the server refuses them, and leave no code anywhere', async () => {
    server.refuses = () => 550;
    const ann = await kit.lyceum.make.user({ role: 'author' });
    await kit.request(ann.login).expect(200);
    await jobsEnded(kit.lyceum);
    expect(server.refused).to.deep.equal([ann.email]);
    const { status, error } = await job();
    expect({ status, error }).to.deep.equal({
      status: 'failed',
      error: { code: 'mail_rejected', message: 'The mail server refuses this mail.' },
    });
  });

  it('do not make the request wait for a server that says nothing', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const other = await PinKit.start({ config: { smtpUrl: `smtp://127.0.0.1:${port}` } });
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    const ann = await other.lyceum.make.user({ role: 'author' });
    await other.request(ann.login).expect(200);
    // It has answered; only now does somebody talk to the server.
    (await connected)[0].destroy();
    silent.close();
    await other.lyceum.stop();
  });

  it('put the code into no table but as a hash', async () => {
    const ann = await kit.lyceum.make.user({ role: 'author' });
    await kit.request(ann.login).expect(200);
    const [delivered] = await server.mailsTo(ann.email, 1);
    const pin = pinIn(delivered?.mail.text ?? '');
    await jobsEnded(kit.lyceum);
    const { knex } = kit.lyceum.host.db;
    for (const table of ['jobs', 'job_events', 'pgboss.job', 'audit_log', 'passwordless_challenges']) {
      // A word of its own: an id or a time may hold any six digits.
      const found = await knex.raw(`select t::text as row from ${table} t where t::text ~ ?`, [
        `\\m${pin}\\M`,
      ]);
      const rows = (found.rows as { row: string }[]).filter(({ row }) => !row.includes(`.${pin}`));
      expect(rows, table).to.deep.equal([]);
    }
  });
});
