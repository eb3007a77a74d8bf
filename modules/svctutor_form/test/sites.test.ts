import { type Client, jobsEnded } from '@lyceum/core/testing';
import { expect } from 'chai';
import { actor, handIn, submission } from './entry-kit.ts';
import { FormKit, posts, route } from './form-kit.ts';

describe('svctutor_form: sites that are copied and removed', () => {
  let kit: FormKit;
  let admin: Client;
  before(async () => {
    const modules = ['svctutor_form', 'site_manager', 'site_duplicator'];
    kit = await FormKit.start({ modules, config: { workers: 'inline' } });
    admin = kit.lyceum.as(await kit.lyceum.make.admin());
  });
  after(() => kit.lyceum.stop());

  const siteWithForm = async () => {
    const site = await kit.lyceum.make.site();
    const there = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    const id = await kit.form({ status: 'publish' }, there);
    const { token } = await kit.data(id, there);
    const body = { id, token, definition: '{ "name" : "Kept", "10":[ ] }\n', fingerprint: 'a'.repeat(64) };
    await kit.update('Definition', body, there).expect(200);
    const exportables = { fingerprint: body.fingerprint, stencil: '', fields: [] };
    await handIn(kit.lyceum, actor(null, site.blog_id), id, submission([], { exportables }));
    return { site, there, id };
  };

  it('take forms along as they are, and leave entries behind', async () => {
    const { site, there, id } = await siteWithForm();
    await admin
      .post(`svc/site-duplicator/v1/sites/${site.blog_id}/duplicate`, { slug: 'copied' })
      .expect(202);
    await jobsEnded(kit.lyceum);
    const copy = kit.lyceum.as(await kit.lyceum.make.admin(), { path: '/copied/', domain: 'localhost' });
    const [form] = (await copy.get(`${posts}?type=form`).expect(200)).body;
    const source = await kit.data(id, there);
    const data = await kit.data(form.id, copy);
    expect(data).to.deep.include({
      texts: source.texts,
      token: source.token,
      fingerprint: source.fingerprint,
      entries: 0,
    });
    expect(form.id).not.to.equal(id);
    expect((await copy.get(route(`entries?id=${form.id}`)).expect(200)).body).to.deep.equal([]);
    expect(source.entries).to.equal(1);
  });

  it('are purged with their entries', async () => {
    const { site } = await siteWithForm();
    await admin.delete(`svc/site-manager/v1/sites/${site.blog_id}?drop_tables=true`).expect(200);
    await jobsEnded(kit.lyceum);
    const { knex } = kit.lyceum.host.db;
    const { blog_id } = site;
    for (const table of ['posts', 'form_entries', 'form_entry_counts']) {
      expect(await knex(table).where({ blog_id }), table).to.deep.equal([]);
    }
    expect(await knex('jobs').whereNot('status', 'completed')).to.deep.equal([]);
  });
});
