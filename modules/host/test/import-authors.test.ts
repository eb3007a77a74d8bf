import { type Client, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { authorXml, postsOf, runImport, send, wxr } from './wxr-kit.ts';

describe('host import: authors', () => {
  let lyceum: TestHost;
  let site: TestSite;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [], config: { workers: 'inline' } });
    site = await lyceum.make.site('lab');
    const owner = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    admin = lyceum.as(owner, site);
  });
  afterEach(() => lyceum.stop());

  it('are mapped, found by login or e-mail, new, or the standard', async () => {
    const mapped = await lyceum.make.user({ role: 'author', site: site.blog_id });
    const same = await lyceum.make.user({ login: 'same', site: site.blog_id, role: 'author' });
    const mail = await lyceum.make.user({ login: 'renamed', site: site.blog_id, role: 'author' });
    const far = await lyceum.make.network();
    await lyceum.make.user({ login: 'foreign', network: far.network_id });
    const standard = await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const head = [
      authorXml('map', 'map@old.example'),
      authorXml('SAME', 'x@old.example'),
      authorXml('mail', mail.email.toUpperCase()),
      authorXml('fresh', 'fresh@old.example', 'Fresh One'),
      authorXml('Bad Login', 'bad@old.example'),
      authorXml('foreign', 'foreign@old.example'),
      authorXml('banned', 'x@banned.example'),
    ].join('');
    const creators = ['map', 'SAME', 'mail', 'fresh', 'Bad Login', 'foreign', 'banned', 'ghost'];
    const file = wxr({
      head,
      items: creators.map((creator, n) => ({ id: n + 1, slug: `by-${n}`, creator })),
    });
    const fields = {
      author_map: JSON.stringify({ map: mapped.id, nobody: mapped.id }),
      default_author_id: String(standard.id),
    };
    await send(admin, file, { ...fields, create_users: 'true' }).expect(403);
    await lyceum.make.settings('host', { banned_email_domains: ['banned.example'] });
    const superAdmin = lyceum.as(await lyceum.make.admin(), site);
    const { result } = await runImport(superAdmin, file, { ...fields, create_users: 'true' });
    const fresh = await lyceum.host.db.knex('users').where('login', 'fresh').first('*');
    const authors = (await postsOf(lyceum, site.blog_id)).map(({ author_id }) => author_id);
    expect(authors).to.deep.equal([
      mapped.id,
      same.id,
      mail.id,
      fresh.id,
      standard.id,
      standard.id,
      standard.id,
      standard.id,
    ]);
    expect(fresh).to.include({ email: 'fresh@old.example', display_name: 'Fresh One', password_hash: null });
    const membership = { user_id: fresh.id, blog_id: site.blog_id };
    expect(await lyceum.host.db.knex('memberships').where(membership).pluck('role')).to.deep.equal([
      'author',
    ]);
    expect(result.created.user).to.equal(1);
    expect(result.existing.user).to.equal(3);
    expect(result.warnings.map(({ code, item }) => `${code} ${item}`)).to.deep.equal([
      'user_not_created user:bad login',
      'user_not_created user:banned',
      'user_not_created user:foreign',
    ]);
    const actions = await lyceum.host.db.knex('audit_log').where('blog_id', site.blog_id).pluck('action');
    expect(actions).to.have.members(['host.import', 'user.create']);
  });

  it('are made once when several imports bring them at the same moment', async () => {
    const names = Array.from({ length: 60 }, (_none, n) => `author-${n}`);
    const items = names.map((creator, n) => ({ id: n + 1, slug: creator, creator }));
    const file = (logins: readonly string[]) =>
      wxr({ head: logins.map((login) => authorXml(login, `${login}@old.example`)).join(''), items });
    const other = await lyceum.make.site('other');
    const superAdmin = await lyceum.make.admin();
    const fields = { create_users: 'true' };
    const imports = await Promise.all([
      runImport(lyceum.as(superAdmin, site), file(names), fields),
      runImport(lyceum.as(superAdmin, other), file(names.toReversed()), fields),
    ]);
    for (const { status, result } of imports) {
      expect(status).to.equal('completed');
      expect(result.warnings).to.deep.equal([]);
      expect(Number(result.created.user) + Number(result.existing.user)).to.equal(60);
    }
    expect(imports.reduce((sum, { result }) => sum + Number(result.created.user), 0)).to.equal(60);
    for (const { blog_id } of [site, other]) {
      const authors = (await lyceum.host.db
        .knex('posts as p')
        .join('users as u', 'u.id', 'p.author_id')
        .where('p.blog_id', blog_id)
        .orderBy('p.id')
        .pluck('u.login')) as string[];
      expect(authors).to.deep.equal(names);
    }
  });
});
