import { expect } from 'chai';
import type { Entry } from '../api.ts';
import { actor, definition, failureOf, field, handIn, hex, type Person, submission } from './entry-kit.ts';
import { FormKit, posts, route } from './form-kit.ts';

describe('svctutor_form: entries', () => {
  let kit: FormKit;
  let ann: Exclude<Person, null>;
  before(async () => {
    kit = await FormKit.start();
    ann = await kit.lyceum.make.user({ role: 'subscriber' });
  });
  after(() => kit.lyceum.stop());

  const survey = async () => {
    const id = await kit.form({ status: 'publish', title: 'Survey' });
    await kit.save(id, 'Definition', { definition: JSON.stringify(definition) });
    return id;
  };
  const add = (id: number, given: Parameters<typeof submission>[1] = {}): Promise<Entry> =>
    handIn(kit.lyceum, actor(ann), id, submission([field()], given));

  it('are stored as they are handed in, and shown', async () => {
    const id = await survey();
    const fields = [
      field({ time: 1_700_000_000_000 }),
      field({
        slot: 'checked',
        datatype: 'boolean',
        value: true,
        string: 'yes',
        node: { id: hex('a'), context: 'x' },
      }),
      field({
        name: 'Age',
        node: { id: hex('b') },
        slot: 'number',
        datatype: 'number',
        value: 4.5,
        string: '4.5',
      }),
      field({
        node: { id: hex('c') },
        slot: 'date',
        datatype: 'date',
        value: 1_700_000_000_000,
        string: '2023',
      }),
      field({ datatype: 'array', value: ['a', 1], string: 'a, 1' }),
      field({ datatype: 'number', value: null, string: '' }),
    ];
    const given = { page_id: 7, language: 'nl', locale: 'nl-NL', actionables: { stencil: hex('f') } };
    const stored = await handIn(kit.lyceum, actor(ann), id, submission(fields, given));
    expect(stored).to.deep.include({
      form_id: id,
      index: 1,
      user_id: ann.id,
      page_id: 7,
      fingerprint: hex('d'),
      stencil: hex('e'),
      fields,
      language: 'nl',
      locale: 'nl-NL',
    });
    const { body } = await kit.editor.get(route(`entries/${stored.entry_id}`)).expect(200);
    expect(body).to.deep.equal(stored);
    const nobody = await handIn(kit.lyceum, actor(null), id, submission([]));
    expect(nobody).to.include({ index: 2, user_id: null, page_id: null, language: null, locale: null });
    expect((await kit.data(id)).entries).to.equal(2);
  });

  it('are of the version that the form has, where the form says which', async () => {
    const id = await survey();
    const text = JSON.stringify(definition);
    await add(id, { exportables: { fingerprint: hex('1'), stencil: hex('2'), fields: [] } });
    await kit.save(id, 'Definition', { definition: text, fingerprint: hex('d') });
    await add(id, { exportables: { fingerprint: hex('D'), stencil: hex('2'), fields: [] } });
    const older = { exportables: { fingerprint: hex('1'), stencil: hex('e'), fields: [] } };
    expect((await failureOf(add(id, older))).code).to.equal('svctutor_form_outdated');
    await kit.save(id, 'Definition', { definition: text, stencil: hex('e'), actionables: hex('f') });
    const shape = { exportables: { fingerprint: hex('d'), stencil: hex('2'), fields: [] } };
    expect((await failureOf(add(id, shape))).code).to.equal('svctutor_form_outdated');
    await add(id);
    await add(id, { actionables: { stencil: hex('f') } });
    const error = await failureOf(add(id, { actionables: { stencil: hex('2') } }));
    expect(error.code).to.equal('svctutor_form_outdated');
    expect((await kit.data(id)).entries).to.equal(4);
  });

  it('that do not fit are refused with all that is wrong', async () => {
    const id = await survey();
    const wrong = [
      field({ key: 'same' }),
      field({ key: 'same' }),
      field({ node: { id: hex('7') } }),
      field({ slot: 'number' }),
      field({ node: { id: hex('9') } }),
      field({ string: 'x'.repeat(65_537) }),
      field({ string: 'x'.repeat(65_536) }),
      field({ value: 5 }),
      field({ datatype: 'number', value: '5' }),
      field({ datatype: 'boolean', value: 1 }),
      field({ datatype: 'date', value: '2026-01-01' }),
      field({ datatype: 'array', value: {} }),
      field({ datatype: 'toString', value: 'x' }),
      field({ datatype: 'anything', value: null }),
    ];
    const error = await failureOf(handIn(kit.lyceum, actor(ann), id, submission(wrong)));
    expect(error.code).to.equal('svctutor_form_invalid_entry');
    const problems = error.data.problems as { readonly pointer: string; readonly message: string }[];
    expect(problems.map(({ pointer }) => pointer)).to.deep.equal([
      '/exportables/fields/1/key',
      '/exportables/fields/2/node/id',
      '/exportables/fields/3/slot',
      '/exportables/fields/4/slot',
      '/exportables/fields/5/string',
      '/exportables/fields/7/value',
      '/exportables/fields/8/value',
      '/exportables/fields/9/value',
      '/exportables/fields/10/value',
      '/exportables/fields/11/value',
      '/exportables/fields/12/value',
    ]);
    for (const { message } of problems) expect(message).to.match(/^(is|must|does) /);
    expect((await kit.data(id)).entries).to.equal(0);
    const empty = await kit.form();
    expect((await failureOf(add(empty))).code).to.equal('svctutor_form_invalid_entry');
    await handIn(kit.lyceum, actor(ann), empty, submission([]));
  });

  it('handed in at once are numbered without gap or double', async () => {
    const id = await survey();
    const added = await Promise.all(Array.from({ length: 30 }, () => add(id)));
    const numbers = added.map(({ index }) => index).sort((a, b) => a - b);
    expect(numbers).to.deep.equal(Array.from({ length: 30 }, (_number, at) => at + 1));
    expect((await kit.data(id)).entries).to.equal(30);
  });

  it('are listed page by page, the newest first', async () => {
    const id = await survey();
    const other = await survey();
    await add(other);
    for (let count = 0; count < 5; count += 1) await add(id);
    const list = async (query: string) => kit.editor.get(route(`entries?id=${id}${query}`)).expect(200);
    const first = await list('&per_page=2');
    expect(first.body.map(({ index }: Entry) => index)).to.deep.equal([5, 4]);
    expect(first.headers).to.include({ 'x-svc-total': '5', 'x-svc-totalpages': '3' });
    expect(first.headers.link).to.contain('rel="next"');
    expect((await list('&per_page=2&page=3')).body.map(({ index }: Entry) => index)).to.deep.equal([1]);
    expect((await list('&order=asc')).body.map(({ index }: Entry) => index)).to.deep.equal([1, 2, 3, 4, 5]);
    expect((await list('&page=2')).body).to.deep.equal([]);
    for (const query of ['&order=up', '&page=0', '&per_page=101']) {
      const { body } = await kit.editor.get(route(`entries?id=${id}${query}`)).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
    const { body } = await kit.editor.get(route('entries')).expect(400);
    expect(body.code).to.equal('rest_missing_callback_param');
  });

  it('are deleted one by one, once, and the audit log says who did', async () => {
    const id = await survey();
    const [first, second] = [await add(id), await add(id)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => kit.editor.delete(route(`entries/${first.entry_id}`))),
    );
    const deleted = answers.filter(({ status }) => status === 200);
    expect(deleted.map(({ body }) => body)).to.deep.equal([{ deleted: true, entry_id: first.entry_id }]);
    expect(answers.filter(({ status }) => status === 404)).to.have.length(7);
    await kit.editor.get(route(`entries/${first.entry_id}`)).expect(404);
    expect((await kit.data(id)).entries).to.equal(1);
    const next = await add(id);
    expect([second.index, next.index]).to.deep.equal([2, 3]);
    const rows = await kit.lyceum.host.db
      .knex('audit_log')
      .where({ action: 'svctutor_form.entry_delete', subject: `form_entry:${first.entry_id}` });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({ module: 'svctutor_form', from: { form_id: id, index: 1 } });
    expect(JSON.stringify(rows)).not.to.contain('Ann');
  });

  it('are for those who may edit their form, and of its site alone', async () => {
    const id = await survey();
    const { entry_id } = await add(id);
    const site = await kit.lyceum.make.site();
    const elsewhere = await kit.person('administrator', site);
    const places = [`entries?id=${id}`, `entries/${entry_id}`, `entries/export?id=${id}`];
    for (const place of places) {
      const { body: anonymous } = await kit.lyceum.anonymous.get(route(place)).expect(401);
      expect(anonymous.code).to.equal('rest_forbidden');
      for (const role of [null, 'subscriber', 'author']) {
        const { body } = await (await kit.person(role)).get(route(place)).expect(403);
        expect(body.code, place).to.equal('invalid_permissions');
      }
      const code = place === `entries/${entry_id}` ? 'svctutor_form_entry_not_found' : 'post_not_found';
      expect((await elsewhere.get(route(place)).expect(404)).body.code).to.equal(code);
      await (await kit.person('administrator')).get(route(place)).expect(200);
    }
    const author = await kit.person('author');
    await kit.lyceum.anonymous.delete(route(`entries/${entry_id}`)).expect(401);
    expect((await author.delete(route(`entries/${entry_id}`)).expect(403)).body.code).to.equal(
      'invalid_permissions',
    );
    await elsewhere.delete(route(`entries/${entry_id}`)).expect(404);
    for (const wrong of ['0', '-1', 'x', '1.5', '99999999999', '999999']) {
      const { body } = await kit.editor.get(route(`entries/${wrong}`)).expect(404);
      expect(body.code, wrong).to.equal('svctutor_form_entry_not_found');
      await kit.editor.delete(route(`entries/${wrong}`)).expect(404);
    }
    await kit.editor.get(route(`entries/${entry_id}`)).expect(200);
  });

  it('stay while their form is in the trash, and go with it', async () => {
    const id = await survey();
    const { entry_id } = await add(id);
    await kit.editor.delete(`${posts}/${id}`).expect(200);
    const { body } = await kit.editor.get(route(`entries?id=${id}`)).expect(404);
    expect(body.code).to.equal('entity_not_found');
    await kit.editor.get(route(`entries/${entry_id}`)).expect(200);
    await kit.editor.patch(`${posts}/${id}`, { status: 'publish' }).expect(200);
    expect((await kit.editor.get(route(`entries?id=${id}`)).expect(200)).body).to.have.length(1);
    await kit.editor.delete(`${posts}/${id}?force=true`).expect(200);
    await kit.editor.get(route(`entries/${entry_id}`)).expect(404);
    const { knex } = kit.lyceum.host.db;
    expect(await knex('form_entries').where('form_id', id)).to.deep.equal([]);
    expect(await knex('form_entry_counts').where('form_id', id)).to.deep.equal([]);
  });

  it('of somebody whose account is gone meanwhile are nobody’s', async () => {
    const gone = { id: 2_000_000_000, login: 'gone' };
    const stored = await handIn(kit.lyceum, actor(gone), await survey(), submission([field()]));
    expect(stored).to.include({ user_id: null, index: 1 });
  });

  it('outlive the one who handed them in, without his name', async () => {
    const id = await survey();
    const bob = await kit.lyceum.make.user({ role: 'subscriber' });
    const { entry_id } = await handIn(kit.lyceum, actor(bob), id, submission([field()]));
    const admin = kit.lyceum.as(await kit.lyceum.make.admin());
    await admin.delete(`svc/host/v1/users/${bob.id}`).expect(200);
    const { body } = await kit.editor.get(route(`entries/${entry_id}`)).expect(200);
    expect(body).to.include({ user_id: null, index: 1 });
  });
});
