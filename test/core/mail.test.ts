import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { Mail } from '../../core/mail/mail.ts';
import { startTestHost } from '../kit/index.ts';
import { SmtpServer } from './smtp-server.ts';

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

  it('becomes a whole .eml file that only the host can read', async () => {
    await toFiles().send(message);
    const [name, ...others] = await readdir(outbox());
    expect(others).to.deep.equal([]);
    expect(name).to.match(/^\d{4}-\d\d-\d\dT[\dZ-]+-[0-9a-f-]{36}\.eml$/);
    const file = path.join(outbox(), name ?? '');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const mail = await readFile(file, 'utf8');
    expect(mail).to.match(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=\r$/m);
    expect(mail).to.match(/^To: ann@example.test\r$/m);
    expect(mail).to.match(/^From: .*<school@example.test>\r$/m);
    expect(mail.split('\r\n\r\n')[1]).to.equal('Hello Ann.\r\nhttp://localhost/lab/\r\n.\r\nEnd\r\n');
  });

  it('cannot be given further headers or recipients by what it quotes', async () => {
    const subject = 'Hi\r\nBcc: victim@example.test\r\n\r\nBody';
    const name = 'A\r\nBcc: victim@example.test';
    await toFiles().send({ ...message, subject, from: { name, address: 'a@example.test' } });
    const [file] = await readdir(outbox());
    const mail = await readFile(path.join(outbox(), file ?? ''), 'utf8');
    expect(mail).not.to.match(/^Bcc:/im);
    expect(mail.split('\r\n\r\n')[1]).to.match(/^Hello Ann/);
  });

  it('harms nobody when it cannot be kept, and says so in the log without its text', async () => {
    await writeFile(outbox(), 'a file where the folder should be');
    await toFiles().send(message);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.include('mail not sent').and.not.include('Hello Ann');
  });

  it('goes to the mail server', async () => {
    const server = new SmtpServer();
    const mail = new Mail({ smtpUrl: await server.listen(), outbox: outbox(), log: log() });
    await Promise.all([mail.send(message), mail.send({ ...message, to: 'bob@example.test' })]);
    await mail.settled();
    await mail.stop();
    await server.close();
    expect(server.received.map(({ from, to }) => [from, ...to]).sort()).to.deep.equal([
      ['school@example.test', 'ann@example.test'],
      ['school@example.test', 'bob@example.test'],
    ]);
    expect(server.received[0]?.data).to.include('Hello Ann.\r\nhttp://localhost/lab/\r\n..\r\nEnd');
    expect(logged).to.deep.equal([]);
  });

  it('does not make a request wait for a server', async () => {
    const server = createServer();
    const mail = new Mail({
      smtpUrl: `smtp://127.0.0.1:${await listen(server)}`,
      outbox: outbox(),
      log: log(),
    });
    const connected = once(server, 'connection') as Promise<[Socket]>;
    await mail.send(message);
    expect(logged).to.deep.equal([]);
    const [silent] = await connected;
    server.close();
    silent.destroy();
    await mail.settled();
    await mail.stop();
    expect(logged).to.have.length(1);
  });

  it('logs what the server refuses', async () => {
    const server = new SmtpServer((recipient) => recipient.startsWith('ann'));
    const mail = new Mail({ smtpUrl: await server.listen(), outbox: outbox(), log: log() });
    await mail.send(message);
    await mail.send({ ...message, to: 'bob@example.test' });
    await mail.stop();
    await server.close();
    expect(server.received.map(({ to }) => to)).to.deep.equal([['bob@example.test']]);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.include('no such person').and.not.include('Hello Ann');
  });

  it('is sent before a host that stops is gone', async () => {
    const server = new SmtpServer();
    const lyceum = await startTestHost({ modules: [], config: { smtpUrl: await server.listen() } });
    await lyceum.host.services.host(Mail).send(message);
    await lyceum.stop();
    await server.close();
    expect(server.received.map(({ to }) => to)).to.deep.equal([['ann@example.test']]);
  });

  it('gives up on a server that is not there', async () => {
    const nobody = createServer();
    const port = await listen(nobody);
    await new Promise((resolve) => nobody.close(resolve));
    const mail = new Mail({ smtpUrl: `smtp://127.0.0.1:${port}`, outbox: outbox(), log: log() });
    await mail.send(message);
    await mail.stop();
    expect(logged[0]).to.include('ECONNREFUSED');
  });
});
