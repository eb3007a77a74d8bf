import { jobsEnded, outboxOf } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Installation, startCommitted } from './network-kit.ts';

const standard = {
  admin_email: 'office@example.test',
  allowedthemes: ['plain'],
  banned_email_domains: ['bad.example'],
  limited_email_domains: ['good.example'],
  upload_filetypes: ['pdf'],
  max_upload_bytes: 1000,
  upload_space_bytes: 5000,
  first_post: '<p>First</p>',
};

describe('multi_network: what a network takes from another', () => {
  let installation: Installation;
  before(async () => {
    installation = await startCommitted({ config: { workers: 'inline' } });
    const { operator } = installation;
    await operator
      .patch('svc/host/v1/settings', { network: { ...standard, audit_retention_days: 7 } })
      .expect(200);
    const vault = { settings: { key: 'very secret', color: 'red' } };
    await operator.patch('svc/modules/v1/modules/test_vault/settings', vault).expect(200);
    await operator.put('svc/modules/v1/modules/test_vault', { enabled: false }).expect(200);
  });
  after(() => installation.lyceum.stop());

  const optionsOf = async (networkId: number): Promise<Record<string, unknown>> => {
    const rows = await installation.lyceum.host.db.knex('network_options').where({ network_id: networkId });
    return Object.fromEntries(rows.map((row) => [row.name, row.value]));
  };
  const adminsOf = (networkId: number): Promise<number[]> =>
    installation.lyceum.host.db
      .knex('super_admins')
      .where({ network_id: networkId })
      .orderBy('user_id')
      .pluck('user_id');

  it('takes the standard options and the super admins unless told otherwise', async () => {
    const { lyceum, create } = installation;
    const [ann, bob] = [await lyceum.make.user(), await lyceum.make.user({ superAdminOf: 1 })];
    const { body } = await create({ user_id: ann.id, network_name: '' }).expect(201);
    expect(await optionsOf(body.network_id)).to.deep.equal({ ...standard, site_name: body.site_name });
    expect(body.network_name).to.equal(body.site_name);
    expect(await adminsOf(body.network_id)).to.deep.equal([1, ann.id, bob.id]);
    const there = lyceum.as(ann, { domain: body.domain, path: '/' });
    const settings = await there.get('svc/host/v1/settings').expect(200);
    expect(settings.body.network).to.deep.include({ ...standard, site_name: body.site_name });
    expect(settings.body.site.admin_email).to.equal(ann.email);
  });

  it('takes nothing of an empty list: the only super admin is the user', async () => {
    const { lyceum, create } = installation;
    const ann = await lyceum.make.user();
    const { body } = await create({ user_id: ann.id, network_name: 'Own', options_to_clone: [] }).expect(201);
    expect(await optionsOf(body.network_id)).to.deep.equal({ site_name: 'Own' });
    expect(await adminsOf(body.network_id)).to.deep.equal([ann.id]);
    const members = await lyceum.host.db
      .knex('memberships')
      .where({ blog_id: body.site_id })
      .select('user_id', 'role');
    expect(members).to.deep.equal([{ user_id: ann.id, role: 'administrator' }]);
  });

  it('takes named options, never a secret, and ignores names of nothing', async () => {
    const options_to_clone = [
      'audit_retention_days',
      'site_name',
      'module:test_vault',
      'module:test_vault:color',
      'module:test_vault:key',
      'nothing',
      '',
      'constructor',
    ];
    const { body } = await installation.create({ network_name: 'Given', options_to_clone }).expect(201);
    expect(await optionsOf(body.network_id)).to.deep.equal({
      site_name: 'Given',
      audit_retention_days: 7,
      'module:test_vault': false,
      'module:test_vault:color': 'red',
    });
    expect(await adminsOf(body.network_id)).to.deep.equal([1]);
  });

  it('takes no sealed value of a module that is gone', async () => {
    const { create, lyceum } = installation;
    const name = 'module:gone:settings';
    const value = JSON.stringify({ account: { key: { sealed: 'AAAA' } } });
    await lyceum.host.db.knex('network_options').insert({ network_id: 1, name, value });
    const { body } = await create({ options_to_clone: [name] }).expect(201);
    expect(await optionsOf(body.network_id)).not.to.have.property(name);
  });

  it('takes them from the network that is named', async () => {
    const { create, lyceum } = installation;
    const ann = await lyceum.make.user();
    const { body: source } = await create({ user_id: ann.id, options_to_clone: [] }).expect(201);
    await lyceum
      .as(ann, { domain: source.domain, path: '/' })
      .patch('svc/host/v1/settings', { network: { upload_filetypes: ['png'] } })
      .expect(200);
    const { body } = await create({ clone_network_id: source.network_id }).expect(201);
    expect(await optionsOf(body.network_id)).to.deep.equal({
      site_name: body.site_name,
      upload_filetypes: ['png'],
    });
    expect(await adminsOf(body.network_id)).to.deep.equal([1, ann.id]);
  });

  it('begins its root site as any site begins', async () => {
    const { create, lyceum, admin } = installation;
    const { body } = await create().expect(201);
    const there = lyceum.as(admin, { domain: body.domain, path: '/' });
    const posts = await there.get('svc/host/v1/posts?include=content').expect(200);
    expect(posts.body.map((post: { content: string }) => post.content)).to.deep.equal(['<p>First</p>']);
    const told = await lyceum.host.db
      .knex('site_options')
      .where({ blog_id: body.site_id, name: 'test_root' })
      .first();
    expect(told?.value).to.equal(body.site_id);
  });

  it('sends the welcome mail of the new network', async () => {
    const { create, lyceum, operator } = installation;
    const welcome_email = 'USERNAME SITE_NAME BLOG_URL LOGINLINK';
    await operator.patch('svc/host/v1/settings', { network: { welcome_email } }).expect(200);
    const ann = await lyceum.make.user();
    await create({ user_id: ann.id, options_to_clone: [] }).expect(201);
    const { body } = await create({ user_id: ann.id, network_name: 'Net' }).expect(201);
    await jobsEnded(lyceum);
    const [mail, ...others] = await outboxOf(lyceum);
    expect(others).to.deep.equal([]);
    expect(mail?.raw).to.match(new RegExp(`^To: ${ann.email}\\r$`, 'm'));
    const { site_url } = body;
    expect(mail?.mail.text?.trim()).to.equal(`${ann.login} Net ${site_url} ${site_url}console/`);
  });
});
