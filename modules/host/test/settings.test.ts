import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/settings';

describe('settings of the host', () => {
  let lyceum: TestHost;
  let second: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    second = await startTestHost({ modules: [], beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });

  const rows = () =>
    lyceum.host.db.knex('audit_log').where({ action: 'host.settings' }).orderBy('id', 'desc');

  it('shows every setting with its default', async () => {
    const { body } = await lyceum
      .as(await lyceum.make.admin())
      .get(route)
      .expect(200);
    expect(body.site).to.deep.equal({
      title: 'Lyceum',
      description: '',
      admin_email: 'admin@example.test',
      timezone: 'UTC',
      date_format: 'd.m.Y',
      default_lang: 'en',
      languages: ['en'],
      allowed_origins: [],
    });
    expect(body.network).to.deep.include({
      site_name: 'Lyceum',
      admin_email: 'admin@example.test',
      max_upload_bytes: 2_147_483_648,
      upload_space_bytes: 0,
      banned_email_domains: [],
      limited_email_domains: [],
      first_post: '',
      welcome_email: '',
      audit_retention_days: 365,
    });
    expect(body.network).not.to.have.property('network_admin_email');
    expect(body.network.upload_filetypes).to.include.members(['jpg', 'mp4', 'pptx']);
  });

  it('takes back all that it shows, a default that is empty too', async () => {
    const network = await lyceum.make.network();
    const own = await lyceum.make.user({ superAdminOf: network.network_id });
    const client = lyceum.as(own, network);
    const { body } = await client.get(route).expect(200);
    expect(body.network.admin_email).to.equal('');
    expect((await client.patch(route, body).expect(200)).body).to.deep.equal(body);
  });

  it('changes the given keys and answers with the whole, in every process at once', async () => {
    const site = await lyceum.make.site();
    const admin = await lyceum.make.admin();
    const answer = await lyceum
      .as(admin, site)
      .patch(route, {
        site: { title: 'Physics', timezone: 'Europe/Riga', nonsense: 1 },
        network: { admin_email: 'boss@example.test' },
      })
      .expect(200);
    expect(answer.body.site).to.include({ title: 'Physics', timezone: 'Europe/Riga', date_format: 'd.m.Y' });
    expect(answer.body.network.admin_email).to.equal('boss@example.test');
    const seen = await second.as(admin, site).get(route).expect(200);
    expect(seen.body).to.deep.equal(answer.body);
    // The main site has its own values, but the same network.
    const main = await second.as(admin).get(route).expect(200);
    expect(main.body.site).to.include({
      title: 'Lyceum',
      timezone: 'UTC',
      admin_email: 'admin@example.test',
    });
    expect(main.body.network.admin_email).to.equal('boss@example.test');
    expect(await lyceum.host.db.knex('site_options').where({ name: 'nonsense' })).to.deep.equal([]);
  });

  it('accepts POST and PUT for PATCH, and null for the default', async () => {
    const site = await lyceum.make.site();
    const client = lyceum.as(await lyceum.make.admin(), site);
    await client.put(route, { site: { date_format: 'Y-m-d' } }).expect(200);
    const { body } = await client.post(route, { site: { date_format: null } }).expect(200);
    expect(body.site.date_format).to.equal('d.m.Y');
    const refused = await client.patch(route, { site: { title: null } }).expect(400);
    expect(refused.body.data.params).to.have.all.keys(['site.title']);
  });

  it('lets an administrator change his site and neither see nor touch the network', async () => {
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const client = lyceum.as(administrator, site);
    const { body } = await client.get(route).expect(200);
    expect(body).to.have.all.keys(['site']);
    const changed = await client.patch(route, { site: { description: 'Open' }, network: {} }).expect(200);
    expect(changed.body).to.have.all.keys(['site']);
    for (const network of [{ max_upload_bytes: 1 }, { max_upload_bytes: 'x' }]) {
      const refused = await client.patch(route, { site: { description: 'Lost' }, network }).expect(403);
      expect(refused.body.code).to.equal('rest_forbidden');
    }
    expect((await client.get(route)).body.site.description).to.equal('Open');
  });

  it('refuses nobody, editors, and administrators of other sites', async () => {
    const site = await lyceum.make.site();
    const editor = await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const stranger = await lyceum.make.user({ role: 'administrator' });
    await lyceum.anonymous.get(route).expect(401);
    await lyceum.anonymous.patch(route, {}).expect(401);
    for (const identity of [editor, stranger]) {
      await lyceum.as(identity, site).get(route).expect(403);
      await lyceum
        .as(identity, site)
        .patch(route, { site: { title: 'x' } })
        .expect(403);
    }
    await lyceum.as(stranger).get(`${route}?blog_id=${site.blog_id}`).expect(403);
  });

  it('takes the site of blog_id', async () => {
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const client = lyceum.as(administrator);
    await client.patch(`${route}?blog_id=${site.blog_id}`, { site: { title: 'By id' } }).expect(200);
    const { body } = await client.get(`${route}?blog_id=${site.blog_id}`).expect(200);
    expect(body.site.title).to.equal('By id');
    await client.get(route).expect(403);
    const admin = lyceum.as(await lyceum.make.admin());
    const elsewhere = await lyceum.make.network();
    expect((await admin.get(`${route}?blog_id=0`).expect(400)).body.code).to.equal('invalid_blog');
    for (const id of [999, elsewhere.blog_id]) {
      expect((await admin.get(`${route}?blog_id=${id}`).expect(404)).body.code).to.equal('unknown_blog');
    }
  });

  it('names every bad value by its path and writes nothing', async () => {
    const client = lyceum.as(await lyceum.make.admin(), await lyceum.make.site());
    const before = (await client.get(route)).body;
    const bad: [string, object][] = [
      ['site.title', { site: { title: '' } }],
      ['site.title', { site: { title: 'x'.repeat(201) } }],
      ['site.description', { site: { description: 'x'.repeat(1001) } }],
      ['site.admin_email', { site: { admin_email: 'nobody' } }],
      ['site.timezone', { site: { timezone: 'Mars/Olympus' } }],
      ['site.languages', { site: { languages: [] } }],
      ['site.languages', { site: { languages: Array(51).fill('en') } }],
      ['site.allowed_origins', { site: { allowed_origins: Array(51).fill('https://a.example') } }],
      ['site.allowed_origins', { site: { allowed_origins: ['https://a.example/'] } }],
      ['site.allowed_origins', { site: { allowed_origins: ['*'] } }],
      ['site.allowed_origins', { site: { allowed_origins: ['https://*.example'] } }],
      ['network.admin_email', { network: { admin_email: 5 } }],
      ['network.max_upload_bytes', { network: { max_upload_bytes: '5' } }],
      ['network.upload_filetypes', { network: { upload_filetypes: ['.exe'] } }],
      ['network.banned_email_domains', { network: { banned_email_domains: ['@x'] } }],
      ['site', { site: [] }],
      ['network', { network: 'x' }],
    ];
    for (const [path, body] of bad) {
      const answer = await client.patch(route, body).expect(400);
      expect(answer.body.code, path).to.equal('rest_invalid_param');
      expect(Object.keys(answer.body.data.params), path).to.deep.equal([path]);
    }
    const both = { site: { timezone: 'x', title: 'Kept out' }, network: { site_name: '' } };
    const answer = await client.patch(route, both).expect(400);
    expect(answer.body.data.params).to.have.all.keys(['site.timezone', 'network.site_name']);
    expect((await client.get(route)).body).to.deep.equal(before);
  });

  it('keeps default_lang among languages, also when both sides change at once', async () => {
    const client = lyceum.as(await lyceum.make.admin(), await lyceum.make.site());
    const refuse = async (site: object, path: string): Promise<void> => {
      const answer = await client.patch(route, { site }).expect(400);
      expect(Object.keys(answer.body.data.params)).to.deep.equal([path]);
    };
    await refuse({ default_lang: 'ru' }, 'site.default_lang');
    await refuse({ languages: ['ru'] }, 'site.languages');
    await refuse({ default_lang: 'lv', languages: ['ru'] }, 'site.default_lang');
    await client.patch(route, { site: { default_lang: 'ru', languages: ['en', 'ru'] } }).expect(200);
    const answers = await Promise.all([
      client.patch(route, { site: { default_lang: 'en' } }),
      client.patch(route, { site: { languages: ['ru'] } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    const other = await client.patch('svc/modules/v1/modules/host/settings', {
      settings: { default_lang: 'xx' },
    });
    expect(other.status).to.equal(400);
    expect(other.body.data.params).to.have.all.keys(['settings.default_lang']);
  });

  it('is one store with the settings of the module', async () => {
    const site = await lyceum.make.site();
    const client = lyceum.as(await lyceum.make.admin(), site);
    await client.patch(route, { network: { admin_email: 'one@example.test' } }).expect(200);
    const module = await client.get('svc/modules/v1/modules/host/settings').expect(200);
    expect(module.body.settings.network_admin_email).to.equal('one@example.test');
    await client
      .patch('svc/modules/v1/modules/host/settings', { settings: { title: 'From there' } })
      .expect(200);
    expect((await client.get(route)).body.site.title).to.equal('From there');
  });

  it('audits what changed, for site and network apart, and nothing else', async () => {
    const site = await lyceum.make.site();
    const client = lyceum.as(await lyceum.make.admin(), site);
    const body = {
      site: { title: 'Audited', timezone: 'UTC' },
      network: { audit_retention_days: 30, upload_space_bytes: 0 },
    };
    await client.patch(route, body).expect(200);
    const [network, ofSite] = await rows();
    expect(ofSite).to.deep.include({
      module: 'host',
      user_id: 1,
      blog_id: site.blog_id,
      scope: 'site',
      from: { title: site.path.replaceAll('/', '') },
      to: { title: 'Audited' },
    });
    expect(network).to.deep.include({
      blog_id: null,
      network_id: 1,
      scope: 'network',
      from: { audit_retention_days: 365 },
      to: { audit_retention_days: 30 },
    });
    const kept = (await rows()).length;
    await client.patch(route, body).expect(200);
    await client.patch(route, { site: { title: '' } }).expect(400);
    expect(await rows()).to.have.length(kept);
  });

  it('gives a single site both parts to its administrators', async () => {
    const single = await startTestHost({ modules: [], config: { multisite: 'off' } });
    try {
      const client = single.as(await single.make.user({ role: 'administrator' }));
      const { body } = await client.patch(route, { network: { upload_space_bytes: 5 } }).expect(200);
      expect(body.network.upload_space_bytes).to.equal(5);
      await single
        .as(await single.make.user({ role: 'editor' }))
        .get(route)
        .expect(403);
      expect((await client.get(`${route}?blog_id=2`).expect(400)).body.code).to.equal('invalid_blog');
    } finally {
      await single.stop();
    }
  });
});
