import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { actor, handIn, submission } from './entry-kit.ts';
import { FormKit } from './form-kit.ts';

const day = 24 * 60 * 60 * 1000;

describe('svctutor_form: how long entries are kept', () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  let kit: FormKit;
  before(async () => {
    kit = await FormKit.start({ now: () => new Date(now) });
  });
  after(() => kit.lyceum.stop());

  const forget = () => runSchedule(kit.lyceum, 'svctutor_form.forget-entries');
  const add = (id: number, blogId = 1) => handIn(kit.lyceum, actor(null, blogId), id, submission([]));
  const count = async (id: number) =>
    (await kit.lyceum.host.db.knex('form_entries').where('form_id', id).select('index').orderBy('index')).map(
      ({ index }: { index: number }) => index,
    );

  it('is for ever, or as many days as the site says; the number of entries follows', async () => {
    const id = await kit.form();
    const site = await kit.lyceum.make.site();
    const there = await kit.form({}, await kit.person('editor', site));
    await add(id);
    await add(there, site.blog_id);
    now += 2 * day;
    await add(id);
    now += 2 * day;
    await add(id);
    await forget();
    expect(await count(id)).to.deep.equal([1, 2, 3]);
    await kit.lyceum.make.settings('svctutor_form', { entries_retention_days: 2 });
    await forget();
    expect(await count(id)).to.deep.equal([2, 3]);
    expect((await kit.data(id)).entries).to.equal(2);
    now += 1;
    await forget();
    expect(await count(id)).to.deep.equal([3]);
    expect(await count(there)).to.deep.equal([1]);
    expect((await add(id)).index).to.equal(4);
  });

  it('does not end where the module is off', async () => {
    const site = await kit.lyceum.make.site();
    const administrator = await kit.person('administrator', site);
    const id = await kit.form({}, administrator);
    await add(id, site.blog_id);
    await kit.lyceum.make.settings('svctutor_form', { entries_retention_days: 1 }, site.blog_id);
    now += 5 * day;
    const toggle = (enabled: boolean) =>
      administrator.put('svc/modules/v1/modules/svctutor_form', { enabled, scope: 'site' }).expect(200);
    await toggle(false);
    await forget();
    expect(await count(id)).to.deep.equal([1]);
    await toggle(true);
    await forget();
    expect(await count(id)).to.deep.equal([]);
  });

  it('takes many in batches', async () => {
    const id = await kit.form();
    const { knex } = kit.lyceum.host.db;
    await knex.raw(
      `insert into form_entries (id, blog_id, form_id, index, fingerprint, stencil, fields, created_at)
       select gen_random_uuid(), 1, ?, n, '', '', '[]', '2020-01-01' from generate_series(1, 1234) n`,
      [id],
    );
    await knex('form_entry_counts').insert({ form_id: id, blog_id: 1, entries: 1234 });
    await forget();
    expect(await count(id)).to.deep.equal([]);
    expect((await kit.data(id)).entries).to.equal(0);
  });
});
