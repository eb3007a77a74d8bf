import { jobsEnded, MailServer, mailsTo, type OutboxMail } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { EntryField } from '../api.ts';
import { notify } from '../mail/notify.ts';
import { actor, definition, field, handIn, submission } from './entry-kit.ts';
import { FormKit } from './form-kit.ts';

const recipient = 'office@example.test';

const survey = async (kit: FormKit, email: object | null, title = 'Survey'): Promise<number> => {
  const id = await kit.form({ title, status: 'publish' });
  await kit.save(id, 'Definition', { definition: JSON.stringify(definition) });
  if (email) await kit.save(id, 'Hooks', { hooks: JSON.stringify({ email }) });
  return id;
};

const add = (kit: FormKit, id: number, fields: readonly EntryField[] = [field()]) =>
  handIn(kit.lyceum, actor(null), id, submission(fields));

const jobs = (kit: FormKit) =>
  kit.lyceum.host.db.knex('jobs').where({ type: 'svctutor_form.notify' }).orderBy('created_at');

describe('svctutor_form: mails about entries', () => {
  let kit: FormKit;
  beforeEach(async () => {
    kit = await FormKit.start({ config: { workers: 'inline' } });
  });
  afterEach(() => kit.lyceum.stop());

  const mails = async (): Promise<OutboxMail[]> => {
    await jobsEnded(kit.lyceum);
    return mailsTo(kit.lyceum, recipient, 1);
  };

  it('are plain text, with the answers where the form says so', async () => {
    const email = { enabled: true, recipient: ` ${recipient} `, includeFields: true };
    const id = await survey(kit, email, 'Evening {time}\r\nBcc: x@example.test');
    const long = field({ name: 'Essay', value: null, string: 'é'.repeat(5_000) });
    const entry = await add(kit, id, [field({ name: '{index}', string: 'Zoë\nand Bob' }), long]);
    const [mail, ...others] = await mails();
    expect(others).to.deep.equal([]);
    expect(mail?.mail.subject).to.equal('New entry 1: Evening {time} Bcc: x@example.test');
    expect(mail?.mail.html).to.equal(undefined);
    const text = mail?.mail.text ?? '';
    expect(text).to.contain('has a new entry: number 1, of ');
    expect(text).to.contain('{index}: Zoë\nand Bob\n');
    expect(text).to.contain(`Essay: ${'é'.repeat(2_000)}…\n`);
    expect(text).to.contain('http://localhost');
    const [job] = await jobs(kit);
    expect(job).to.deep.include({
      payload: { entry_id: entry.entry_id },
      result: { sent: true },
      status: 'completed',
      user_id: null,
      blog_id: 1,
    });
  });

  it('say no more than that there is one, where the form does not', async () => {
    await kit.lyceum.make.settings('svctutor_form', { notify_from_name: 'The “Office”, <here>' });
    await kit.lyceum.make.settings('host', { languages: ['en', 'ru'] });
    await kit.lyceum.make.settings('host', { default_lang: 'ru' });
    await add(kit, await survey(kit, { enabled: true, recipient }));
    const [mail] = await mails();
    expect(mail?.mail.subject).to.equal('Новый ответ 1: Survey');
    expect(mail?.mail.text).to.contain('В форме «Survey» новый ответ: № 1,').and.not.to.contain('Ann');
    expect(mail?.mail.from?.name).to.equal('The “Office”, <here>');
  });

  it('are from the title of the site unless it names somebody else', async () => {
    await add(kit, await survey(kit, { enabled: true, recipient }));
    const [mail] = await mails();
    const { body } = await kit.editor.get('').expect(200);
    expect(mail?.mail.from?.name).to.equal(body.name);
  });

  it('go to one address, and only while they are wanted', async () => {
    for (const email of [
      null,
      { recipient },
      { enabled: false, recipient },
      { enabled: 'true', recipient },
      { enabled: true },
      { enabled: true, recipient: 5 },
      { enabled: true, recipient: 'nobody' },
      { enabled: true, recipient: `${recipient}, other@example.test` },
      { enabled: true, recipient: `a@b\r\nBcc: ${recipient}` },
      { enabled: true, recipient: `<${recipient}>` },
      { enabled: true, recipient: `${'a'.repeat(250)}@example.test` },
    ]) {
      await add(kit, await survey(kit, email));
    }
    const id = await survey(kit, null);
    await kit.editor.patch(`svc/host/v1/posts/${id}`, { meta: { form_hooks: 'no JSON' } }).expect(200);
    await add(kit, id);
    expect(await jobs(kit)).to.deep.equal([]);
  });

  it('are not there for entries that are refused', async () => {
    const id = await survey(kit, { enabled: true, recipient });
    await add(kit, id, [field({ slot: 'none' })]).catch(() => undefined);
    expect(await jobs(kit)).to.deep.equal([]);
    expect((await kit.data(id)).entries).to.equal(0);
  });
});

describe('svctutor_form: mails that do not go out at once', () => {
  let server: MailServer;
  let smtpUrl: string;
  let kit: FormKit;
  beforeEach(async () => {
    server = new MailServer();
    smtpUrl = await server.listen();
    kit = await FormKit.start({ config: { workers: 'off' } });
  });
  afterEach(async () => {
    await kit.lyceum.stop();
    await server.close();
  });

  /** Lets a process work until no job is left. */
  const work = async (before: () => PromiseLike<unknown> = async () => undefined): Promise<void> => {
    await before();
    const worker = await kit.beside({ smtpUrl, workers: 'inline' });
    try {
      await jobsEnded(kit.lyceum);
    } finally {
      await worker.lyceum.stop();
    }
  };
  const change = (given: object) => jobs(kit).update(given);
  const entry = async () => add(kit, await survey(kit, { enabled: true, recipient }));
  const outcome = async () => {
    const [{ status, error, result, tries }] = await jobs(kit);
    return { status, error, result, tries };
  };

  it('are tried five times more within ten minutes', () => {
    const { retryAfterSeconds = [] } = notify;
    expect(retryAfterSeconds).to.have.length(5);
    expect(retryAfterSeconds.reduce((sum, seconds) => sum + seconds)).to.be.within(300, 600);
  });

  it('go out once the server is back', async () => {
    server.refuses = () => (server.refused.length === 0 ? 451 : null);
    await entry();
    await work();
    expect(await outcome()).to.deep.equal({
      status: 'completed',
      error: null,
      result: { sent: true },
      tries: 1,
    });
    expect(server.received).to.have.length(1);
  });

  it('are given up after the last try', async () => {
    server.refuses = () => 451;
    await entry();
    await work(() => change({ tries: 5 }));
    const { status, error } = await outcome();
    expect([status, error.code]).to.deep.equal(['failed', 'mail_failed']);
    expect(server.refused).to.have.length(1);
    expect(JSON.stringify(error)).not.to.contain(recipient);
  });

  it('are given up at once when the server will never take them', async () => {
    server.refuses = () => 550;
    await entry();
    await work();
    const { status, error } = await outcome();
    expect([status, error.code]).to.deep.equal(['failed', 'mail_failed']);
    expect(server.refused).to.have.length(1);
  });

  it('are repeated once when a worker was lost while it sent, and never again', async () => {
    await entry();
    await work(() => change({ cursor: { delivering: true, unsure: 0 } }));
    expect(await outcome()).to.deep.include({ status: 'completed', result: { sent: true } });
    expect(server.received).to.have.length(1);
    await entry();
    await jobs(kit)
      .where({ status: 'pending' })
      .update({ cursor: { delivering: true, unsure: 1 } });
    await work();
    expect(server.received).to.have.length(1);
    const [, last] = await jobs(kit);
    expect([last.status, last.error.code]).to.deep.equal(['failed', 'mail_failed']);
  });

  it('are nobody’s once the entry, the form or the wish is gone', async () => {
    const { entry_id } = await entry();
    await kit.editor.delete(`svctutor-forms/form/v1/entries/${entry_id}`).expect(200);
    const second = await entry();
    await kit.editor.delete(`svc/host/v1/posts/${second.form_id}?force=true`).expect(200);
    const third = await entry();
    await kit.save(third.form_id, 'Hooks', { hooks: '{}' });
    await work();
    const results = (await jobs(kit)).map(({ result }) => result);
    expect(results).to.deep.equal([{ sent: false }, { sent: false }, { sent: false }]);
    expect(server.received).to.deep.equal([]);
  });
});
