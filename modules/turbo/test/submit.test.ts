import { randomUUID } from 'node:crypto';
import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { modules, posts, route, TurboKit } from './turbo-kit.ts';

const hex = (digit: string): string => digit.repeat(64);
const submit = route('form-plugin/submit');
const definition = {
  name: 'Survey',
  clusters: [
    { id: hex('1'), nodes: [{ id: hex('a'), name: 'Name', slots: [{ reference: 'value', type: 'text' }] }] },
  ],
};
const field = {
  ...{ key: 'k', name: 'Name', type: 'text', slot: 'value', datatype: 'string' },
  ...{ node: { id: hex('a'), context: ['x'] }, value: 'Ann', string: 'Ann', time: 5 },
};

describe('turbo: handing in a form', () => {
  let kit: TurboKit;
  before(async () => {
    kit = await TurboKit.start({ config: { workers: 'inline' } });
  });
  after(() => kit.lyceum.stop());

  const makeForm = async (fields: object = {}): Promise<number> => {
    const form = {
      type: 'form',
      title: 'Survey',
      status: 'publish',
      content: JSON.stringify(definition),
      ...fields,
    };
    const meta = { form_fingerprint: hex('d'), form_stencil: hex('e') };
    return (await kit.editor.post(posts, { ...form, meta }).expect(201)).body.id;
  };
  const body = (form_id: number, more: object = {}) => ({
    form_id,
    exportables: { fingerprint: hex('D'), stencil: hex('e'), fields: [field] },
    ...more,
  });
  const entries = (form_id: number) => kit.lyceum.host.db.knex('form_entries').where({ form_id });

  it('stores one entry for each submission_id, and says what it said before', async () => {
    const form = await makeForm();
    const ann = await kit.lyceum.make.user({ role: 'subscriber' });
    const page_id = await kit.page('[form]');
    const submission_id = randomUUID();
    const given = body(form, {
      ...{ submission_id, page_id, language: 'en-GB', locale: 'nl' },
      actionables: { fingerprint: hex('d'), stencil: hex('f'), nodes: [{}] },
    });
    const first = await kit.lyceum.as(ann).post(submit, given).expect(201);
    expect(first.headers['cache-control']).to.equal('private, no-store');
    expect(first.body)
      .to.include({ index: 1, form_id: form })
      .and.have.keys([...['id', 'entry_id', 'index', 'form_id', 'created_at']]);
    const upper = { ...given, submission_id: submission_id.toUpperCase() };
    const again = await kit.lyceum.as(ann).post(submit, upper).expect(200);
    expect(again.body).to.deep.equal(first.body);
    const rows = await entries(form);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      ...{ user_id: ann.id, page_id, language: 'en-GB', locale: 'nl', blog_id: 1 },
      ...{ fingerprint: hex('d'), fields: [field] },
    });
    const other = body(await makeForm(), { submission_id });
    await kit.refused(
      kit.lyceum.as(ann),
      ['post', 'form-plugin/submit', other],
      409,
      'turbo_submission_conflict',
    );
    await kit.refused(kit.editor, ['post', 'form-plugin/submit', given], 409, 'turbo_submission_conflict');
    // The answer outlives the form.
    await kit.editor.delete(`${posts}/${form}`).expect(200);
    await kit.lyceum.as(ann).post(submit, given).expect(200);
  });

  it('takes it from pages of the site alone, also from one in the trash by now', async () => {
    const form = await makeForm();
    const page_id = await kit.page('x');
    const site = await kit.lyceum.make.site();
    const elsewhere = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    const foreign = await elsewhere.post(posts, { type: 'page', title: 'Elsewhere' }).expect(201);
    for (const id of [foreign.body.id, 999_999]) {
      const given = body(form, { page_id: id });
      await kit.refused(kit.editor, ['post', 'form-plugin/submit', given], 404, 'turbo_page_not_found');
    }
    await kit.editor.delete(`${posts}/${page_id}`).expect(200);
    await kit.editor.post(submit, body(form, { page_id })).expect(201);
    expect((await entries(form)).map((entry) => entry.page_id)).to.deep.equal([page_id]);
  });

  it('numbers entries that come at once, each once', async () => {
    const form = await makeForm();
    const ann = kit.lyceum.as(await kit.lyceum.make.user({ role: 'subscriber' }));
    const same = randomUUID();
    const twice = await Promise.all(
      Array.from({ length: 5 }, () => ann.post(submit, body(form, { submission_id: same }))),
    );
    expect(twice.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 200, 201]);
    expect(new Set(twice.map((answer) => answer.body.id)).size).to.equal(1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ann.post(submit, body(form, { submission_id: randomUUID() })).expect(201),
      ),
    );
    const indexes = answers.map((answer) => answer.body.index as number).sort((a, b) => a - b);
    expect(indexes).to.deep.equal(Array.from({ length: 20 }, (_none, at) => at + 2));
  });

  it('refuses what was made with another version, or does not fit, and keeps nothing of it', async () => {
    const form = await makeForm();
    const submission_id = randomUUID();
    const old = body(form, {
      submission_id,
      exportables: { fingerprint: hex('0'), stencil: hex('e'), fields: [] },
    });
    await kit.refused(kit.editor, ['post', 'form-plugin/submit', old], 409, 'svctutor_form_outdated');
    const exportables = { fingerprint: hex('d'), stencil: hex('e'), fields: [{ ...field, slot: 'x' }] };
    const unfit = await kit.refused(
      kit.editor,
      ['post', 'form-plugin/submit', body(form, { submission_id, exportables })],
      400,
      'svctutor_form_invalid_entry',
    );
    expect(unfit.data.problems).to.deep.equal([
      { pointer: '/exportables/fields/0/slot', message: 'is no slot of the node' },
    ]);
    expect(await entries(form)).to.have.length(0);
    await kit.editor.post(submit, body(form, { submission_id })).expect(201);
  });

  it('is for forms that the caller may see, while forms are on', async () => {
    const draft = await makeForm({ status: 'draft' });
    const trashed = await makeForm();
    await kit.editor.delete(`${posts}/${trashed}`).expect(200);
    const page = await kit.page('x');
    const ann = await kit.person('subscriber');
    for (const id of [draft, trashed, page, 999_999]) {
      await kit.refused(ann, ['post', 'form-plugin/submit', body(id)], 404, 'turbo_form_not_found');
    }
    await kit.editor.post(submit, body(draft)).expect(201);
    const site = await kit.lyceum.make.site();
    const form = await makeForm();
    const there = kit.lyceum.as(
      await kit.lyceum.make.user({ role: 'administrator', site: site.blog_id }),
      site,
    );
    await kit.refused(there, ['post', 'form-plugin/submit', body(form)], 404, 'turbo_form_not_found');
    await kit.refused(
      kit.lyceum.anonymous,
      ['post', 'form-plugin/submit', body(form)],
      401,
      'rest_forbidden',
    );
    await kit.admin.put(`${modules}/svctutor_form`, { enabled: false }).expect(200);
    await kit.refused(ann, ['post', 'form-plugin/submit', body(form)], 503, 'turbo_form_unavailable');
    await kit.admin.put(`${modules}/svctutor_form`, { enabled: true }).expect(200);
    await ann.post(submit, body(form)).expect(201);
  });

  it('checks what is handed in', async () => {
    const form = await makeForm();
    const { exportables } = body(form);
    const wrong: readonly object[] = [
      { submission_id: 'x' },
      { page_id: 'x' },
      { language: 'x'.repeat(36) },
      { locale: 'no tag!' },
      { exportables: [] },
      { exportables: { ...exportables, fingerprint: hex('d').slice(1) } },
      { exportables: { ...exportables, stencil: hex('x') } },
      { exportables: { ...exportables, fields: Array.from({ length: 501 }, () => field) } },
      { exportables: { ...exportables, fields: [{ ...field, node: null }] } },
      { exportables: { ...exportables, fields: [null] } },
      { actionables: 'x' },
    ];
    for (const more of wrong) {
      await kit.refused(
        kit.editor,
        ['post', 'form-plugin/submit', body(form, more)],
        400,
        'rest_invalid_param',
      );
    }
    const missing = await kit.refused(
      kit.editor,
      ['post', 'form-plugin/submit', {}],
      400,
      'rest_missing_callback_param',
    );
    expect(missing.data.params).to.have.members(['form_id', 'exportables']);
    const large = body(form, { more: 'x'.repeat(2 * 1024 * 1024) });
    await kit.refused(kit.editor, ['post', 'form-plugin/submit', large], 413, 'rest_body_too_large');
    await kit.editor
      .post(submit, body(form, { actionables: null, exportables: { ...exportables, fields: [] } }))
      .expect(201);
    expect(await entries(form)).to.have.length(1);
  });

  it('thirty a minute, and no more', async () => {
    const form = await makeForm();
    const ann = await kit.person('subscriber');
    const answers = await Promise.all(Array.from({ length: 32 }, () => ann.post(submit, body(form))));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(30);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.code).to.equal('rest_too_many_requests');
    await kit.editor.post(submit, body(form)).expect(201);
  });

  it('ids are forgotten after thirty days', async () => {
    const form = await makeForm();
    const { knex } = kit.lyceum.host.db;
    const given = body(form, { submission_id: randomUUID() });
    await kit.editor.post(submit, given).expect(201);
    await runSchedule(kit.lyceum, 'turbo.forget-submissions');
    await kit.editor.post(submit, given).expect(200);
    await knex('turbo_submissions').update({ created_at: knex.raw(`now() - interval '31 days'`) });
    await runSchedule(kit.lyceum, 'turbo.forget-submissions');
    expect((await kit.editor.post(submit, given).expect(201)).body.index).to.equal(2);
  });
});
