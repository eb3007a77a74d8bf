import { jobsEnded, mailsTo, outboxOf, startTestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PinKit, pinIn } from './pin-kit.ts';

const hidden = ['x-request-id', 'date'];

describe('passwordless: asking for a code', () => {
  let kit: PinKit;
  before(async () => {
    kit = await PinKit.start();
  });
  after(() => kit.lyceum.stop());

  const person = (more: object = {}) => kit.lyceum.make.user({ role: 'subscriber', ...more });

  it('sends one code to the stored address, with links of the stored domain', async () => {
    const ann = await person();
    const { body } = await kit
      .request(` ${ann.login.toUpperCase()} `)
      .set('X-Forwarded-Host', 'localhost')
      .set('Host', 'evil.example')
      .expect(200);
    expect(body).to.include({ sent: true, expires_in: 600 });
    const [letter, ...others] = await mailsTo(kit.lyceum, ann.email, 1);
    expect(others).to.deep.equal([]);
    const { raw, mail } = letter ?? expect.fail('no mail');
    // One number of six digits in the whole file, not only in the text.
    expect(pinIn(raw)).to.equal(pinIn(mail.text ?? ''));
    const html = mail.html?.replace(/<style>.*?<\/style>|<[^>]+>/gs, '');
    expect(html).to.include(pinIn(raw));
    expect(mail.subject).to.equal('Your sign-in code for Lyceum');
    expect(raw).to.match(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail.text).to.include(`http://localhost:${kit.lyceum.host.port}/`);
    expect(raw).not.to.include('evil.example');
    // Nothing is fetched when the mail is opened.
    expect(mail.html).not.to.match(/<img|<link|url\(|src=/);
  });

  it('answers an unknown login, byte for byte, as a known one, and sends nothing', async () => {
    const ann = await person();
    const [known, unknown] = [await kit.request(ann.email), await kit.request('nobody')];
    expect(unknown.text).to.equal(known.text);
    const headers = ({ headers: all }: typeof known) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.includes(name)));
    expect(headers(unknown)).to.deep.equal(headers(known));
    await jobsEnded(kit.lyceum);
    const { knex } = kit.lyceum.host.db;
    const jobs = await knex('jobs')
      .where({ type: 'passwordless.mail' })
      .orderBy('created_at', 'desc')
      .limit(2);
    expect(jobs.map(({ result }) => result)).to.deep.equal([{ sent: false }, { sent: true }]);
    for (const { payload, user_id } of jobs) {
      expect(Object.keys(payload)).to.deep.equal(['challenge_id']);
      expect(user_id).to.equal(null);
    }
    expect(
      (await outboxOf(kit.lyceum)).filter(({ mail }) => mail.to?.[0]?.address?.includes('nobody')),
    ).to.deep.equal([]);
  });

  it('refuses what is no login', async () => {
    const { body: absent } = await kit.from('10.200.0.1').post('svc/passwordless/v1/request', {}).expect(400);
    expect(absent).to.deep.include({ code: 'rest_missing_callback_param' });
    expect(absent.data.params).to.deep.equal(['login']);
    for (const login of [5, null, true, {}, ['ann'], '', '   ', 'a'.repeat(255)]) {
      const { body } = await kit.request(login).expect(400);
      expect(body.code, String(login)).to.equal('rest_invalid_param');
      expect(Object.keys(body.data.params)).to.deep.equal(['login']);
    }
    const redirect = { login: 'ann', redirect: 'x'.repeat(2001) };
    const { body } = await kit.from('10.200.0.1').post('svc/passwordless/v1/request', redirect).expect(400);
    expect(Object.keys(body.data.params)).to.deep.equal(['redirect']);
    await kit.request('a'.repeat(254)).expect(200);
  });

  it('mails a member and a super admin, and nobody who may not log in here', async () => {
    const site = await kit.lyceum.make.site();
    const member = await person({ site: site.blog_id });
    const admin = await kit.lyceum.make.user({ superAdminOf: 1 });
    const stranger = await person();
    for (const { login } of [stranger, member, admin]) await kit.request(login, site).expect(200);
    await jobsEnded(kit.lyceum);
    const addresses = (await outboxOf(kit.lyceum)).map(({ mail }) => mail.to?.[0]?.address);
    expect(addresses).to.include(member.email).and.include(admin.email).and.not.include(stranger.email);
  });

  it('is counted by login, over sites and over login and e-mail, whoever it is', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await person();
    await kit.lyceum.host.db
      .knex('memberships')
      .insert({ blog_id: site.blog_id, user_id: ann.id, role: 'author' });
    await kit.request(ann.login).expect(200);
    for (const refused of [await kit.request(ann.login), await kit.request(ann.email, site)]) {
      expect(refused.status).to.equal(429);
      expect(refused.body.code).to.equal('rest_too_many_requests');
      expect(refused.body.data.retry_after).to.be.within(50, 60);
      expect(refused.headers['retry-after']).to.equal(String(refused.body.data.retry_after));
    }
    await kit.request('nobody-knows').expect(200);
    const { body } = await kit.request('Nobody-Knows').expect(429);
    expect(body.data.retry_after).to.be.within(50, 60);
  });

  it('is refused after five mails in an hour', async () => {
    await kit.lyceum.make.settings('passwordless', { request_interval: 0 });
    const ann = await person();
    for (const login of [ann.login, 'nobody.here']) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => kit.request(login)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        ...Array(5).fill(200),
        ...Array(3).fill(429),
      ]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body.data.retry_after).to.be.within(3_590, 3_600);
    }
    await kit.lyceum.make.settings('passwordless', { request_interval: 60 });
  });

  it('is refused after thirty requests from one address', async () => {
    const address = kit.freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 33 }, (_, at) => kit.request(`somebody-${at}`, undefined, address)),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).to.have.length(3);
    for (const { body } of refused) expect(body.data.retry_after).to.be.within(3_590, 3_600);
    await kit.request('somebody-else').expect(200);
  });

  it('mails the newest code alone when several wait for the worker', async () => {
    const idle = await PinKit.start({ config: { workers: 'off' } });
    await idle.lyceum.make.settings('passwordless', { request_interval: 0 });
    const ann = await idle.lyceum.make.user({ role: 'author' });
    for (const login of [ann.login, ann.email, ann.login]) await idle.request(login).expect(200);
    const worker = await startTestHost({
      modules: ['passwordless'],
      config: { workers: 'inline' },
      beside: idle.lyceum,
    });
    await jobsEnded(idle.lyceum);
    const [pin, ...others] = await idle.pins(ann.email, 1);
    expect(others).to.deep.equal([]);
    await idle.verify(ann.login, pin).expect(200);
    await worker.stop();
    await idle.lyceum.stop();
  });

  it('is worded by the site, or in the language of the person or the site', async () => {
    const site = await kit.lyceum.make.site();
    const subjectTo = async (user: { login: string; email: string }) => {
      await kit.request(user.login, site).expect(200);
      return (await mailsTo(kit.lyceum, user.email, 1))[0]?.mail;
    };
    const russian = await person({ site: site.blog_id, locale: 'ru_RU' });
    const { subject, text } = (await subjectTo(russian)) ?? expect.fail('no mail');
    expect(subject).to.equal(`Код для входа на сайт «${site.path.slice(1, -1)}»`);
    expect(pinIn(text ?? '')).to.match(/^\d{6}$/);
    await kit.lyceum.make.settings('host', { default_lang: 'ru', languages: ['ru', 'en'] }, site.blog_id);
    expect((await subjectTo(await person({ site: site.blog_id })))?.subject).to.match(/^Код для входа/);
    const own = {
      mail_subject: '{site}: {minutes}',
      mail_text: 'Hello <b>.\r\nCode {pin}, {minutes}, {other}',
    };
    await kit.lyceum.make.settings('passwordless', { ...own, pin_ttl: 61 }, site.blog_id);
    const mail = await subjectTo(await person({ site: site.blog_id }));
    expect(mail?.subject).to.equal(`${site.path.slice(1, -1)}: 2`);
    expect(mail?.text).to.match(/^Hello <b>\.\nCode \d{6}, 2, \{other\}\n/);
    expect(mail?.html).to.include('Hello &lt;b&gt;.<br>');
  });

  it('takes settings within their limits only', async () => {
    const admin = kit.lyceum.as(await kit.lyceum.make.admin());
    const change = (settings: object) =>
      admin.patch('svc/modules/v1/modules/passwordless/settings', { settings });
    for (const wrong of [
      { pin_ttl: 59 },
      { max_attempts: 2 },
      { max_attempts: 21 },
      { lock_seconds: 86_401 },
      { request_interval: 3_601 },
      { requests_per_hour: 0 },
      { require_ssl: 'yes' },
      { mail_text: 'no code in it' },
      { mail_text: 'https://evil.example/{pin}' },
      { mail_text: '{pin}.evil.example' },
      { mail_text: '{pin}-{site}' },
      { mail_text: 'a@{pin}' },
      { mail_subject: 'evil.example?{pin}' },
    ]) {
      const { body } = await change(wrong).expect(400);
      expect(body.data.params).to.have.all.keys(`settings.${Object.keys(wrong)[0]}`);
    }
    for (const mail_text of ['PIN={pin}.', '«{pin}»', 'a.b/c {pin}… {site}']) {
      await change({ mail_text }).expect(200);
    }
  });
});
