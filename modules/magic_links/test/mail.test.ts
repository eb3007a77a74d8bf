import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { jobsEnded, killWorker, MailServer, startServer, startWorker } from '@lyceum/core/testing';
import { expect } from 'chai';
import { LinkKit, linkIn, links, tokenIn } from './link-kit.ts';

describe('magic_links: mails by a server', () => {
  let server: MailServer;
  let url: string;
  let kit: LinkKit;
  beforeEach(async () => {
    server = new MailServer();
    url = await server.listen();
    kit = await LinkKit.start({ config: { smtpUrl: url } });
  });
  afterEach(async () => {
    await kit.lyceum.stop();
    await server.close();
  });

  const job = () => kit.lyceum.host.db.knex('jobs').where({ type: 'magic_links.mail' }).first();
  const stand = async (id: number) =>
    (await kit.lyceum.as(kit.admin).get(links).expect(200)).body.find(
      (link: { id: number }) => link.id === id,
    ).status;

  it('are tried again with another token, and only that of the delivered one is good', async () => {
    const ann = await kit.person();
    server.refuses = () => (server.refused.length === 0 ? 451 : null);
    const { body } = await kit.make({ user_id: ann.id, delivery: 'mail' }).expect(201);
    await server.until(() => server.refused.length === 1);
    const { knex } = kit.lyceum.host.db;
    const row = () => knex('magic_links').where({ id: body.id }).first();
    const first: Buffer = (await row()).token_hash;
    const [delivered] = await server.mailsTo(ann.email, 1);
    await jobsEnded(kit.lyceum);
    expect(first.equals((await row()).token_hash)).to.equal(false);
    expect(await stand(body.id)).to.equal('live');
    expect((await job()).tries).to.equal(1);
    await kit.consume(tokenIn(linkIn(delivered?.mail.text ?? ''))).expect(200);
    expect(await stand(body.id)).to.equal('consumed');
  });

  it('that the server refuses fail the job and the link', async () => {
    server.refuses = () => 550;
    const ann = await kit.person();
    const { body } = await kit.make({ user_id: ann.id, delivery: 'mail' }).expect(201);
    await jobsEnded(kit.lyceum);
    const { status, error } = await job();
    expect({ status, code: error?.code }).to.deep.equal({ status: 'failed', code: 'mail_rejected' });
    expect(await stand(body.id)).to.equal('failed');
    await kit.lyceum.as(kit.admin).delete(`${links}/${body.id}`).expect(409);
  });

  it('come from another process when the first was killed while it sent', async function () {
    this.timeout(60_000);
    const idle = await LinkKit.start({ config: { workers: 'off' } });
    const ann = await idle.person();
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    const stuck = await startWorker(idle.lyceum, ['magic_links'], {
      HOST_SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    const { body } = await idle.make({ user_id: ann.id, delivery: 'mail' }).expect(201);
    const [socket] = await connected;
    const hashOf = async (): Promise<Buffer> =>
      (await idle.lyceum.host.db.knex('magic_links').where({ id: body.id }).first('token_hash')).token_hash;
    const first = await hashOf();
    await killWorker(stuck);
    socket.destroy();
    silent.close();
    const other = await startWorker(idle.lyceum, ['magic_links'], { HOST_SMTP_URL: url });
    const [delivered, ...others] = await server.mailsTo(ann.email, 1);
    await jobsEnded(idle.lyceum);
    expect(others).to.deep.equal([]);
    expect(first.equals(await hashOf())).to.equal(false);
    await idle.consume(tokenIn(linkIn(delivered?.mail.text ?? ''))).expect(200);
    await killWorker(other);
    await idle.lyceum.stop();
  });

  it('leave neither token nor cookie in the log of the process that takes them', async () => {
    const ann = await kit.person();
    const serving = await startServer(kit.lyceum, ['magic_links'], { TEST_LOG: 'trace' });
    const token = await kit.token(ann);
    const answers = await Promise.all(
      [token, token, 'ml_wrong'].map((given) =>
        fetch(`${serving.origin}/api/svc/magic-links/v1/consume`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ token: given }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403, 403]);
    const cookie = answers.find(({ status }) => status === 200)?.headers.get('set-cookie') ?? '';
    await killWorker(serving.child);
    expect(serving.log()).to.include('ready');
    expect(serving.log()).not.to.include(token);
    expect(serving.log()).not.to.include(
      /svc_session=([\w-]{43})/.exec(cookie)?.[1] ?? expect.fail('no cookie'),
    );
  });
});
