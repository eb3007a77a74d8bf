import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { isCoded } from '../../core/api/errors.ts';
import { TransientFailure } from '../../core/api/job.ts';
import { Mail } from '../../core/mail/mail.ts';
import { MailServer } from '../kit/index.ts';

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const message = {
  from: { name: 'Schule "Ä"', address: 'school@example.test' },
  to: 'ann@example.test',
  subject: 'Grüße',
  text: 'Hello Ann.\nhttp://localhost/lab/\n.\nEnd\n',
};

const failureOf = (delivery: Promise<void>): Promise<unknown> =>
  delivery.then(
    () => null,
    (error: unknown) => error,
  );

describe('mail', () => {
  let folder: string;
  let logged: string[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-mail-'));
    logged = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const log = () => pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const outbox = () => path.join(folder, 'outbox');
  const toFiles = () => new Mail({ smtpUrl: null, outbox: outbox(), log: log() });
  const toServer = (smtpUrl: string) => new Mail({ smtpUrl, outbox: outbox(), log: log() });

  it('becomes a whole .eml file that only the host can read', async () => {
    await toFiles().deliver(message);
    const [name, ...others] = await readdir(outbox());
    expect(others).to.deep.equal([]);
    expect(name).to.match(/^\d{4}-\d\d-\d\dT[\dZ-]+-[0-9a-f-]{36}\.eml$/);
    const file = path.join(outbox(), name ?? '');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const mail = await readFile(file, 'utf8');
    expect(mail).to.match(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=\r$/m);
    expect(mail).to.match(/^To: ann@example.test\r$/m);
    expect(mail).to.match(/^From: .*<school@example.test>\r$/m);
    expect(mail).to.match(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail.split('\r\n\r\n')[1]).to.equal('Hello Ann.\r\nhttp://localhost/lab/\r\n.\r\nEnd\r\n');
  });

  it('cannot be given further headers or recipients by what it quotes', async () => {
    const subject = 'Hi\r\nBcc: victim@example.test\r\n\r\nBody';
    const name = 'A\r\nBcc: victim@example.test';
    await toFiles().deliver({ ...message, subject, from: { name, address: 'a@example.test' } });
    const [file] = await readdir(outbox());
    const mail = await readFile(path.join(outbox(), file ?? ''), 'utf8');
    expect(mail).not.to.match(/^Bcc:/im);
    expect(mail.split('\r\n\r\n')[1]).to.match(/^Hello Ann/);
  });

  it('is to be tried again when it cannot be kept', async () => {
    await writeFile(outbox(), 'a file where the folder should be');
    const failure = await failureOf(toFiles().deliver(message));
    expect(failure).to.be.instanceOf(TransientFailure);
    expect(isCoded((failure as Error).cause, 'mail_unavailable')).to.equal(true);
    await rm(outbox());
    await toFiles().deliver(message);
    expect(await readdir(outbox())).to.have.length(1);
  });

  it('goes to the mail server as it was written', async () => {
    const server = new MailServer();
    const mail = toServer(await server.listen());
    const html = '<p>Hello <b>Ann</b>.</p>';
    await Promise.all([
      mail.deliver({ ...message, html }),
      mail.deliver({ ...message, to: 'bob@example.test' }),
    ]);
    mail.stop();
    await server.close();
    expect(server.received.map(({ from, to }) => [from, ...to]).sort()).to.deep.equal([
      ['school@example.test', 'ann@example.test'],
      ['school@example.test', 'bob@example.test'],
    ]);
    const [first] = await server.mailsTo('ann@example.test', 1);
    expect(first?.mail.text?.trim()).to.equal('Hello Ann.\nhttp://localhost/lab/\n.\nEnd');
    expect(first?.mail.html?.trim()).to.equal(html);
    expect(first?.mail.subject).to.equal('Grüße');
    expect(logged).to.deep.equal([]);
  });

  it('is to be tried again when the server is away, silent, or asks for patience', async () => {
    const nobody = createServer();
    const port = await listen(nobody);
    await new Promise((resolve) => nobody.close(resolve));
    const silent = createServer();
    const silentMail = toServer(`smtp://127.0.0.1:${await listen(silent)}`);
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    const waiting = failureOf(silentMail.deliver(message));
    (await connected)[0].destroy();
    silent.close();
    const server = new MailServer(() => 451);
    const mail = toServer(await server.listen());
    const failures = [
      await waiting,
      await failureOf(toServer(`smtp://127.0.0.1:${port}`).deliver(message)),
      await failureOf(mail.deliver(message)),
    ];
    mail.stop();
    silentMail.stop();
    await server.close();
    for (const failure of failures) expect(failure).to.be.instanceOf(TransientFailure);
  });

  it('fails for good when the server refuses it, and only then', async () => {
    const server = new MailServer((recipient) => (recipient.startsWith('ann') ? 550 : null));
    const mail = toServer(await server.listen());
    expect(isCoded(await failureOf(mail.deliver(message)), 'mail_rejected')).to.equal(true);
    await mail.deliver({ ...message, to: 'bob@example.test' });
    mail.stop();
    await server.close();
    expect(server.received.map(({ to }) => to)).to.deep.equal([['bob@example.test']]);
  });

  it('leaves neither its text nor the words of the server in the log', async () => {
    const server = new MailServer(() => 550);
    const mail = toServer(await server.listen());
    const failure = (await failureOf(mail.deliver(message))) as Error;
    mail.stop();
    await server.close();
    expect(logged).to.have.length(1);
    expect(JSON.parse(logged[0] ?? '')).to.include({ msg: 'mail not delivered', response: 550 });
    for (const secret of ['Hello Ann', 'not here']) {
      expect(logged[0]).not.to.include(secret);
      expect(`${failure.message} ${failure.stack}`).not.to.include(secret);
    }
  });
});
