import { jobsEnded, mailsTo, outboxOf } from '@lyceum/core/testing';
import { expect } from 'chai';
import { LinkKit, linkIn, links, tokenIn } from './link-kit.ts';

describe('magic_links: making a link', () => {
  let kit: LinkKit;
  before(async () => {
    kit = await LinkKit.start();
  });
  after(() => kit.lyceum.stop());

  const { knex } = { knex: (table: string) => kit.lyceum.host.db.knex(table) };

  it('to hand over: with its address and token, this once', async () => {
    const ann = await kit.person();
    const { body, headers } = await kit
      .make({ user_id: ann.id, expires_in: 300, redirect: '/courses' })
      .expect(201);
    const { url, token, ...link } = body;
    const origin = `http://localhost:${kit.lyceum.host.port}`;
    expect(token).to.match(/^ml_[\w-]{43}$/);
    expect(url).to.equal(`${origin}/magic-link#token=${token}`);
    expect(link).to.deep.include({
      user_id: ann.id,
      blog_id: 1,
      delivery: 'url',
      status: 'live',
      redirect: `${origin}/courses`,
      created_by: 1,
      consumed_at: null,
    });
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).to.be.within(299_000, 301_000);
    expect(headers.location).to.equal(`${origin}/api/${links}/${link.id}`);
    const { body: list } = await kit.lyceum.as(kit.admin).get(`${links}?user_id=${ann.id}`).expect(200);
    expect(list).to.deep.equal([link]);
    const audited = await knex('audit_log')
      .where({ action: 'magic_links.create' })
      .orderBy('id', 'desc')
      .first();
    expect(audited).to.deep.include({ user_id: 1, subject: `link:${link.id}` });
    expect(audited.to).to.deep.equal({ user_id: ann.id, delivery: 'url' });
    // Nothing but the hash is kept.
    for (const table of ['magic_links', 'audit_log', 'jobs', 'idempotency_keys']) {
      const found = await kit.lyceum.host.db.knex.raw(`select 1 from ${table} t where t::text like ?`, [
        `%${token}%`,
      ]);
      expect(found.rows, table).to.deep.equal([]);
    }
  });

  it('by mail: pending until it is sent, and in the mail alone', async () => {
    const ann = await kit.person();
    const { body } = await kit
      .make({ user_id: ann.id, delivery: 'mail' })
      .set('Host', 'localhost')
      .set('X-Forwarded-Host', 'localhost')
      .expect(201);
    expect(body.status).to.equal('pending');
    expect(body).not.to.have.any.keys('url', 'token');
    const [letter] = await mailsTo(kit.lyceum, ann.email, 1);
    const { raw, mail } = letter ?? expect.fail('no mail');
    const link = linkIn(mail.text ?? '');
    expect(link).to.match(new RegExp(`^http://localhost:${kit.lyceum.host.port}/magic-link#token=`));
    // As it stands in the file: no line of it is broken.
    expect(raw).to.include(link);
    expect(mail.html).to.include(`href="${link}"`);
    expect(mail.html).not.to.match(/<img|<link|url\(|src=/);
    expect(mail.subject).to.equal('Your link to sign in to Lyceum');
    await jobsEnded(kit.lyceum);
    const [row] = (await kit.lyceum.as(kit.admin).get(`${links}?status=live&user_id=${ann.id}`).expect(200))
      .body;
    expect(row.id).to.equal(body.id);
    const job = await knex('jobs').where({ type: 'magic_links.mail' }).orderBy('created_at', 'desc').first();
    expect(job).to.deep.include({ user_id: 1, payload: { link_id: body.id }, result: { sent: true } });
    for (const table of ['magic_links', 'jobs', 'job_events', 'pgboss.job', 'audit_log']) {
      const found = await kit.lyceum.host.db.knex.raw(`select 1 from ${table} t where t::text like ?`, [
        `%${tokenIn(link)}%`,
      ]);
      expect(found.rows, table).to.deep.equal([]);
    }
    await kit.consume(tokenIn(link)).expect(200);
  });

  it('by mail in Russian, or as the site words it, with a page of its own', async () => {
    const site = await kit.lyceum.make.site('school');
    const ann = await kit.person({ site: site.blog_id, locale: 'ru' });
    await kit.make({ user_id: ann.id, delivery: 'mail', expires_in: 93_600 }, kit.admin, site).expect(201);
    const [russian] = await mailsTo(kit.lyceum, ann.email, 1);
    expect(russian?.mail.subject).to.equal('Ссылка для входа на сайт «school»');
    expect(russian?.mail.text).to.include('она действует 1 день 2 часа.');
    expect(linkIn(russian?.mail.text ?? '')).to.include('/school/magic-link#token=');
    const admin = kit.lyceum.as(kit.admin, site);
    const change = (settings: object) =>
      admin.patch('svc/modules/v1/modules/magic_links/settings', { settings });
    const own = {
      mail_subject: 'In {site}',
      mail_text: 'Here: {link} ({minutes})',
      landing_url: '/school/in?x=1#y',
    };
    await change(own).expect(200);
    const bob = await kit.person({ site: site.blog_id });
    await kit.make({ user_id: bob.id, delivery: 'mail' }, kit.admin, site).expect(201);
    const [worded] = await mailsTo(kit.lyceum, bob.email, 1);
    expect(worded?.mail.subject).to.equal('In school');
    expect(worded?.mail.text).to.match(
      /^Here: http:\/\/localhost:\d+\/school\/in\?x=1#token=ml_[\w-]{43} \(15\)\n/,
    );
    for (const wrong of [
      { landing_url: 'https://evil.example/' },
      { landing_url: '/elsewhere' },
      { mail_text: 'no link' },
      { mail_text: '{link} https://evil.example/{link}' },
      { mail_text: 'evil.example?at={link}' },
      { mail_text: '{site}{link}' },
      { mail_subject: '//evil.example/{link}' },
      { default_ttl: 59 },
      { max_ttl: 2_592_001 },
    ]) {
      const { body } = await change(wrong).expect(400);
      expect(body.data.params).to.have.all.keys(`settings.${Object.keys(wrong)[0]}`);
    }
    for (const mail_text of ['Link={link}', '({link}).\n<{link}>', '"{link}", {minutes}/{site} a.b/c']) {
      await change({ mail_text }).expect(200);
    }
  });

  it('is refused where its input is wrong', async () => {
    const ann = await kit.person();
    const user_id = ann.id;
    await kit.make({}).expect(400);
    for (const [wrong, name] of [
      [{ user_id: 'ann' }, 'user_id'],
      [{ user_id, delivery: 'sms' }, 'delivery'],
      [{ user_id, expires_in: 59 }, 'expires_in'],
      [{ user_id, expires_in: 604_801 }, 'expires_in'],
      [{ user_id, expires_in: 60.5 }, 'expires_in'],
      [{ user_id, redirect: 'https://evil.example/' }, 'redirect'],
      [{ user_id, redirect: '//evil.example' }, 'redirect'],
      [{ user_id, redirect: 'x'.repeat(2_001) }, 'redirect'],
    ] as const) {
      const { body } = await kit.make(wrong).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(Object.keys(body.data.params)).to.deep.equal([name]);
    }
  });

  it('is for members of the site, by those who may, and never upwards', async () => {
    const site = await kit.lyceum.make.site();
    const at = { site: site.blog_id };
    const administrator = await kit.person({ ...at, role: 'administrator' });
    const editor = await kit.person({ ...at, role: 'editor' });
    const member = await kit.person(at);
    const stranger = await kit.person();
    const superAdmin = await kit.lyceum.make.user({ superAdminOf: 1 });
    const other = await kit.lyceum.make.network();
    const elsewhereSuper = await kit.person({ ...at, superAdminOf: other.network_id });
    const refusal = async (who: typeof member, target: typeof member, delivery: string) => {
      const { status, body } = await kit.make({ user_id: target.id, delivery }, who, site);
      return status === 201 ? 201 : body.code;
    };
    const forbidden = 'rest_forbidden';
    const upwards = 'magic_links_forbidden_user';
    const unknown = 'magic_links_user_not_found';
    for (const [who, target, mail, url] of [
      [administrator, member, 201, forbidden],
      [administrator, editor, 201, forbidden],
      [administrator, stranger, unknown, unknown],
      [administrator, superAdmin, upwards, upwards],
      [administrator, elsewhereSuper, upwards, upwards],
      [administrator, administrator, 201, 201],
      [editor, member, forbidden, forbidden],
      [member, member, 201, 201],
      [member, editor, forbidden, forbidden],
      [stranger, stranger, forbidden, forbidden],
      [superAdmin, administrator, 201, 201],
      [superAdmin, kit.admin, 201, 201],
      [superAdmin, elsewhereSuper, upwards, upwards],
      [superAdmin, { ...member, id: 2_147_483_000 }, unknown, unknown],
    ] as const) {
      const name = `${who.login} for ${target.login}`;
      expect(await refusal(who, target, 'mail'), `${name} by mail`).to.equal(mail);
      expect(await refusal(who, target, 'url'), `${name} to hand over`).to.equal(url);
    }
    await kit.lyceum.anonymous.post(links, { user_id: 1 }).expect(401);
    // Whoever is somebody in another network may only be mailed to.
    const both = await kit.person(at);
    await knex('memberships').insert({ blog_id: other.blog_id, user_id: both.id, role: 'author' });
    const local = await kit.lyceum.make.user({ superAdminOf: 1 });
    expect(await refusal(local, both, 'mail')).to.equal(201);
    expect(await refusal(local, both, 'url')).to.equal(upwards);
  });

  it('on a single site needs no network', async () => {
    const single = await LinkKit.start({ config: { multisite: 'off' } });
    const administrator = await single.person({ role: 'administrator' });
    const editor = await single.person({ role: 'editor' });
    await single.make({ user_id: editor.id }, administrator).expect(201);
    await single.make({ user_id: administrator.id }, editor).expect(403);
    await single.lyceum.stop();
  });

  it('stops at twenty live links of one user, also at once', async () => {
    const ann = await kit.person();
    const answers = await Promise.all(Array.from({ length: 25 }, () => kit.make({ user_id: ann.id })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.code)).to.deep.equal(Array(5).fill('magic_links_limit'));
    await kit.consume(answers.find(({ status }) => status === 201)?.body.token).expect(200);
    await kit.make({ user_id: ann.id }).expect(201);
    await kit.make({ user_id: ann.id }).expect(409);
  });

  it('is listed newest first, by user and status, and on its own site only', async () => {
    const site = await kit.lyceum.make.site();
    const administrator = await kit.person({ site: site.blog_id, role: 'administrator' });
    const ann = await kit.person({ site: site.blog_id });
    const ids: number[] = [];
    for (let made = 0; made < 3; made += 1) {
      ids.unshift((await kit.make({ user_id: ann.id }, kit.admin, site).expect(201)).body.id);
    }
    await knex('magic_links')
      .where({ id: ids[0] })
      .update({ expires_at: new Date(Date.now() - 1) });
    const list = async (query: string) => {
      const { body, headers } = await kit.lyceum.as(administrator, site).get(`${links}${query}`).expect(200);
      return { ids: body.map((link: { id: number }) => link.id), total: headers['x-svc-total'] };
    };
    expect(await list('')).to.deep.equal({ ids, total: '3' });
    expect(await list('?per_page=1&page=2')).to.deep.equal({ ids: [ids[1]], total: '3' });
    expect(await list('?status=expired')).to.deep.equal({ ids: [ids[0]], total: '1' });
    expect(await list('?status=live')).to.deep.equal({ ids: ids.slice(1), total: '2' });
    expect(await list(`?user_id=${administrator.id}`)).to.deep.equal({ ids: [], total: '0' });
    await kit.lyceum.as(administrator, site).get(`${links}?status=gone`).expect(400);
    await kit.lyceum.as(administrator).get(links).expect(403);
    await kit.lyceum.as(ann, site).get(links).expect(403);
    await kit.lyceum.anonymous.get(links).expect(401);
  });

  it('does not mail what was revoked before its turn', async () => {
    const idle = await LinkKit.start({ config: { workers: 'off' } });
    const ann = await idle.person();
    const { body } = await idle.make({ user_id: ann.id, delivery: 'mail' }).expect(201);
    await idle.lyceum.as(ann).delete(`${links}/${body.id}`).expect(200);
    const worker = new LinkKit((await LinkKit.start({ beside: idle.lyceum })).lyceum, idle.admin);
    await jobsEnded(idle.lyceum);
    expect(await outboxOf(idle.lyceum)).to.deep.equal([]);
    await worker.lyceum.stop();
    await idle.lyceum.stop();
  });
});
