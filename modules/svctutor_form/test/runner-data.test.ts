import { expect } from 'chai';
import { FormKit, freshToken, posts, route } from './form-kit.ts';

describe('svctutor_form: runner data', () => {
  let kit: FormKit;
  before(async () => {
    kit = await FormKit.start();
  });
  after(() => kit.lyceum.stop());

  const ask = (id: unknown, client = kit.editor) => client.get(route(`getRunnerData?id=${id}`));

  it('of a new form are its standard parts', async () => {
    const id = await kit.form({ title: 'New' });
    const data = await kit.data(id);
    const { modified_at, ...rest } = data;
    expect(modified_at).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(rest).to.deep.equal({
      id,
      name: 'New',
      status: 'draft',
      runner: 'autoscroll',
      definition: null,
      styles: {},
      l10n: {},
      shortcode: {},
      fingerprint: '',
      stencil: '',
      actionables: '',
      language: 'en',
      token: freshToken,
      hooks: {},
      trackers: {},
      entries: 0,
      texts: {
        definition: '',
        runner: 'autoscroll',
        styles: '{}',
        l10n: '{}',
        hooks: '{}',
        trackers: '{}',
        shortcode: '{}',
      },
    });
  });

  it('are for everybody who is signed in while the form is published; the rest is for its editors', async () => {
    const id = await kit.form({ status: 'publish', title: 'Open' });
    await kit.save(id, 'Definition', {
      definition: '{"language":"ru","clusters":[]}',
      fingerprint: 'a'.repeat(64),
    });
    await kit.save(id, 'Hooks', { hooks: '{"email":{"recipient":"secret@example.test"}}' });
    const reader = await kit.person('subscriber');
    const { body } = await ask(id, reader).expect(200);
    expect(body).to.have.all.keys(
      'id',
      'name',
      'status',
      'runner',
      'definition',
      'styles',
      'l10n',
      'shortcode',
      'fingerprint',
      'stencil',
      'actionables',
      'language',
      'modified_at',
    );
    expect(body).to.deep.include({ name: 'Open', language: 'ru', fingerprint: 'a'.repeat(64) });
    expect(JSON.stringify(body)).not.to.contain('secret');
    await ask(id, await kit.person(null)).expect(200);
    const { body: refused } = await ask(id, kit.lyceum.anonymous).expect(401);
    expect(refused.code).to.equal('rest_forbidden');
  });

  it('of a form that is not published are for its editors alone', async () => {
    const reader = await kit.person('subscriber');
    const author = await kit.person('author');
    for (const status of ['draft', 'private', 'pending']) {
      const id = await kit.form({ status });
      for (const client of [reader, author]) {
        const { body } = await ask(id, client).expect(403);
        expect(body).to.deep.equal({
          code: 'invalid_permissions',
          message: 'You are not allowed to do that with this form.',
          data: { status: 403 },
        });
      }
      await ask(id, await kit.person('editor')).expect(200);
    }
  });

  it('say what is wrong with the id', async () => {
    const page = (await kit.editor.post(posts, { type: 'page', title: 'Page' }).expect(201)).body.id;
    const trashed = await kit.form({ status: 'publish' });
    await kit.editor.delete(`${posts}/${trashed}`).expect(200);
    for (const [id, status, code] of [
      ['', 400, 'rest_invalid_param'],
      ['x', 400, 'rest_invalid_param'],
      ['1.5', 400, 'rest_invalid_param'],
      ['0', 400, 'invalid_id'],
      ['-1', 400, 'invalid_id'],
      ['999999', 404, 'post_not_found'],
      ['99999999999', 404, 'post_not_found'],
      [page, 400, 'invalid_post_type'],
      [trashed, 404, 'entity_not_found'],
    ]) {
      const { body } = await ask(id).expect(Number(status));
      expect(body.code, String(id)).to.equal(code);
    }
    const { body } = await kit.editor.get(route('getRunnerData')).expect(400);
    expect(body.code).to.equal('rest_missing_callback_param');
    await kit.editor.post(`${posts}/${trashed}`, { status: 'publish' }).expect(200);
    await ask(trashed).expect(200);
  });

  it('read a stored text that is no JSON any more as nothing', async () => {
    const id = await kit.form();
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const meta = {
      form_styles: 'no JSON',
      form_hooks: '[]',
      form_l10n: '1',
      form_trackers: '{"a"',
      form_shortcode: '',
    };
    await kit.editor.patch(`${posts}/${id}`, { content: deep, meta }).expect(200);
    const data = await kit.data(id);
    expect(data).to.deep.include({
      definition: null,
      styles: {},
      hooks: {},
      l10n: {},
      trackers: {},
      shortcode: {},
    });
    expect(data.texts.styles).to.equal('no JSON');
    expect(data.texts.definition).to.equal(deep);
    await kit.update('Definition', { id, token: data.token, definition: '{"a":1}' }).expect(200);
    expect((await kit.data(id)).definition).to.deep.equal({ a: 1 });
  });

  it('have the language of the definition, else that of the site', async () => {
    await kit.lyceum.make.settings('host', { languages: ['en', 'nl'] });
    await kit.lyceum.make.settings('host', { default_lang: 'nl' });
    const id = await kit.form();
    expect((await kit.data(id)).language).to.equal('nl');
    await kit.save(id, 'Definition', { definition: '{"language":"fr"}' });
    expect((await kit.data(id)).language).to.equal('fr');
    await kit.save(id, 'Definition', { definition: '{"language":7}' });
    expect((await kit.data(id)).language).to.equal('nl');
    await kit.lyceum.make.settings('host', { default_lang: 'en' });
  });

  it('of the host show the same parts, checked when they are written there', async () => {
    const id = await kit.form();
    const { body } = await kit.editor.get(`${posts}/${id}`).expect(200);
    expect(body.meta).to.deep.equal({
      form_runner: 'autoscroll',
      form_styles: '{}',
      form_l10n: '{}',
      form_hooks: '{}',
      form_trackers: '{}',
      form_shortcode: '{}',
      form_fingerprint: '',
      form_stencil: '',
      form_actionables: '',
    });
    for (const meta of [
      { form_runner: 'fancy' },
      { form_styles: {} },
      { form_fingerprint: 'abc' },
      { form_hooks: 'x'.repeat(65_537) },
    ]) {
      const refused = await kit.editor.patch(`${posts}/${id}`, { meta }).expect(400);
      expect(Object.keys(refused.body.data.params)).to.deep.equal([`meta.${Object.keys(meta)[0]}`]);
    }
    await kit.editor.patch(`${posts}/${id}`, { meta: { form_stencil: 'AB'.repeat(32) } }).expect(200);
    expect((await kit.data(id)).stencil).to.equal('ab'.repeat(32));
  });
});
