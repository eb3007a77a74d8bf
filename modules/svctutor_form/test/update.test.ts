import { expect } from 'chai';
import { FormKit, freshToken, md5, posts, route } from './form-kit.ts';

const hex = (digit: string): string => digit.repeat(64);

describe('svctutor_form: saving', () => {
  let kit: FormKit;
  before(async () => {
    kit = await FormKit.start();
  });
  after(() => kit.lyceum.stop());

  it('follows a form from its first token on', async () => {
    const id = await kit.form();
    expect((await kit.data(id)).token).to.equal(freshToken);
    const definition = '{"name":"A","clusters":[]}';
    const first = await kit.update('Definition', { id, definition, token: freshToken }).expect(200);
    expect(first.body).to.deep.equal({ token: '482a3d5d75588970aacc927d86c236c6' });
    const second = await kit.update('Runner', { id, runner: 'chat', token: first.body.token }).expect(200);
    expect(second.body).to.deep.equal({ token: 'fc95fe91362bf493bce656704a47260b' });
    const body = await kit.refused('Definition', { id, definition, token: freshToken }, 400, 'invalid_token');
    expect(body.message).to.equal(
      `Invalid token. Generated: fc95fe91362bf493bce656704a47260b, expected: ${freshToken}`,
    );
    expect(body.data).to.deep.equal({ status: 400, token: 'fc95fe91362bf493bce656704a47260b' });
  });

  it('makes the token of the seven texts, one after the other', async () => {
    const id = await kit.form();
    await kit.save(id, 'Definition', { definition: '{"é":"\u{1F600}"}' });
    await kit.save(id, 'Styles', { styles: '{"s":1}' });
    await kit.save(id, 'L10n', { l10n: '{"l":2}' });
    await kit.save(id, 'Hooks', { hooks: '{"h":3}' });
    await kit.save(id, 'Trackers', { trackers: '{"t":4}' });
    await kit.save(id, 'Runner', { runner: 'classic' });
    const token = await kit.save(id, 'Shortcode', { shortcode: '{"c":5}' });
    expect(token).to.equal(
      md5('{"é":"\u{1F600}"}', 'classic', '{"s":1}', '{"l":2}', '{"h":3}', '{"t":4}', '{"c":5}'),
    );
    expect((await kit.data(id)).token).to.equal(token);
    const sums = { fingerprint: hex('a'), stencil: hex('b'), actionables: hex('c') };
    expect(await kit.save(id, 'Definition', { definition: '{"é":"\u{1F600}"}', ...sums })).to.equal(token);
  });

  it('keeps texts byte for byte', async () => {
    const id = await kit.form();
    const texts = {
      definition: '{"a":1, "b" : 2}',
      styles: ' {\n\t"z":1e2 , "a":"\\u00e9\\/é\\ud83d\\ude00\\ud800" ,"z":2}\r\n',
      l10n: '{"2":0,"1":[ ],"__proto__":{"x":1}}',
      hooks: '{ }',
      trackers: '{"x":"<script>alert(1)</script>\\u0000"}',
      shortcode: '{"width" : "50%"}',
    };
    await kit.save(id, 'Definition', { definition: texts.definition });
    await kit.save(id, 'Styles', { styles: texts.styles });
    await kit.save(id, 'L10n', { l10n: texts.l10n });
    await kit.save(id, 'Hooks', { hooks: texts.hooks });
    await kit.save(id, 'Trackers', { trackers: texts.trackers });
    const token = await kit.save(id, 'Shortcode', { shortcode: texts.shortcode });
    const data = await kit.data(id);
    expect(data.texts).to.deep.equal({ ...texts, runner: 'autoscroll' });
    expect(data.definition).to.deep.equal({ a: 1, b: 2 });
    expect(data.styles.z).to.equal(2);
    const { definition, styles, l10n, hooks, trackers, shortcode } = texts;
    expect(token).to.equal(md5(definition, 'autoscroll', styles, l10n, hooks, trackers, shortcode));
  });

  it('names the definition only where it has another name, by the algorithm of JSON.stringify', async () => {
    const id = await kit.form({ title: 'Before' });
    await kit.save(id, 'Definition', { definition: '{"name":"A","x":1}', name: 'B' });
    const title = async () => (await kit.editor.get(`${posts}/${id}`).expect(200)).body.title;
    expect((await kit.data(id)).texts.definition).to.equal('{"name":"B","x":1}');
    expect(await title()).to.equal('B');
    const odd = '{ "x" : 1, "name":"B" }';
    await kit.save(id, 'Definition', { definition: odd, name: 'B' });
    expect((await kit.data(id)).texts.definition).to.equal(odd);
    const given =
      '{"b":"\\/\\u00e9\\ud83d\\ude00\\u0007\\"\\\\","10":1,"a":"first","2":{"9":0,"1":0},"a":"last","lone":"\\udc00"}';
    await kit.save(id, 'Definition', { definition: given, name: '<script>' });
    expect((await kit.data(id)).texts.definition).to.equal(
      '{"2":{"1":0,"9":0},"10":1,"b":"/é😀\\u0007\\"\\\\","a":"last","lone":"\\udc00","name":"<script>"}',
    );
    expect(await title()).to.equal('<script>');
    await kit.save(id, 'Definition', { definition: '{"__proto__":{"y":1},"name":5}', name: '5' });
    expect((await kit.data(id)).texts.definition).to.equal('{"__proto__":{"y":1},"name":"5"}');
  });

  it('leaves title, sums and all other parts alone where they are not given', async () => {
    const id = await kit.form({ title: 'Kept', slug: 'kept' });
    const sums = { fingerprint: hex('A'), stencil: hex('b'), actionables: hex('9') };
    await kit.save(id, 'Definition', { definition: '{"name":"X"}', ...sums });
    const before = (await kit.editor.get(`${posts}/${id}`).expect(200)).body;
    expect(before.title).to.equal('Kept');
    await kit.save(id, 'Definition', { definition: '{"name":"Y"}' });
    const after = (await kit.editor.get(`${posts}/${id}`).expect(200)).body;
    expect(after.meta).to.deep.equal(before.meta);
    expect(after.meta).to.include({ form_fingerprint: hex('a'), form_stencil: hex('b') });
    const { content: _was, hash: _hash, modified_at: earlier, ...rest } = before;
    expect(after).to.deep.include(rest);
    expect(after.modified_at > earlier).to.equal(true);
  });

  it('takes a text that is stored already: same token, newer time', async () => {
    const id = await kit.form({ status: 'publish' });
    const token = await kit.save(id, 'Styles', { styles: '{"a":1}' });
    const { modified_at } = await kit.data(id);
    expect(await kit.save(id, 'Styles', { styles: '{"a":1}' })).to.equal(token);
    expect((await kit.data(id)).modified_at > modified_at).to.equal(true);
  });

  it('refuses the old token after the content or a part was changed elsewhere', async () => {
    const id = await kit.form();
    await kit.editor.patch(`${posts}/${id}`, { content: '{"name":"Elsewhere"}' }).expect(200);
    const { data } = await kit.refused(
      'Runner',
      { id, token: freshToken, runner: 'chat' },
      400,
      'invalid_token',
    );
    expect(data.token).to.equal(md5('{"name":"Elsewhere"}', 'autoscroll', '{}{}{}{}{}'));
    await kit.editor.patch(`${posts}/${id}`, { meta: { form_styles: '{"x":1}' } }).expect(200);
    await kit.refused('Runner', { id, token: String(data.token), runner: 'chat' }, 400, 'invalid_token');
    await kit.editor.patch(`${posts}/${id}`, { meta: { form_styles: null }, content: '' }).expect(200);
    await kit.update('Runner', { id, token: freshToken, runner: 'chat' }).expect(200);
  });

  describe('of what is not right', () => {
    it('says first what is missing or of the wrong kind', async () => {
      const id = await kit.form();
      const claim = { id, token: freshToken };
      for (const [part, body] of [
        ['Definition', { id, definition: '{}' }],
        ['Definition', { token: '0', definition: '{}' }],
        ['Definition', claim],
        ['Runner', claim],
        ['Styles', { ...claim, l10n: '{}' }],
        ['Hooks', claim],
        ['Trackers', {}],
      ] as const) {
        await kit.refused(part, body, 400, 'rest_missing_callback_param');
      }
      for (const [part, body] of [
        ['Definition', { ...claim, definition: {} }],
        ['Definition', { ...claim, definition: '{}', fingerprint: 'a'.repeat(63) }],
        ['Definition', { ...claim, definition: '{}', stencil: `${'a'.repeat(63)}g` }],
        ['Definition', { ...claim, definition: '{}', actionables: '' }],
        ['Definition', { ...claim, definition: '{}', name: '' }],
        ['Definition', { ...claim, definition: '{}', name: 'n'.repeat(201) }],
        ['Definition', { ...claim, definition: '{"a":"\0"}' }],
        ['Definition', { ...claim, id: String(id), definition: '{}' }],
        ['Definition', { ...claim, id: 1.5, definition: '{}' }],
        ['Styles', { ...claim, styles: null }],
        ['Styles', { ...claim, styles: { a: 1 } }],
        ['Runner', { ...claim, runner: ['chat'] }],
        ['Runner', { id, token: null, runner: 'chat' }],
        ['Runner', { id, token: 0, runner: 'chat' }],
      ] as const) {
        await kit.refused(part, body, 400, 'rest_invalid_param');
      }
    });

    it('says then what is wrong with the record, the caller, the token, the part', async () => {
      const id = await kit.form();
      const author = await kit.person('author');
      const page = (await kit.editor.post(posts, { type: 'page', title: 'Page' }).expect(201)).body.id;
      const trashed = await kit.form();
      await kit.editor.delete(`${posts}/${trashed}`).expect(200);
      const wrong = { token: '', definition: '{' };
      await kit.refused('Definition', { id: 0, ...wrong }, 400, 'invalid_id');
      await kit.refused('Definition', { id: -5, ...wrong }, 400, 'invalid_id');
      await kit.refused('Definition', { id: 999_999, ...wrong }, 404, 'post_not_found');
      await kit.refused('Definition', { id: 99_999_999_999, ...wrong }, 404, 'post_not_found');
      await kit.refused('Definition', { id: page, ...wrong }, 400, 'invalid_post_type', author);
      await kit.refused('Definition', { id: trashed, ...wrong }, 404, 'entity_not_found', author);
      await kit.refused('Definition', { id, ...wrong }, 403, 'invalid_permissions', author);
      await kit.refused('Definition', { id, ...wrong }, 400, 'empty_token');
      await kit.refused('Definition', { id, token: '0', definition: '{' }, 400, 'empty_token');
      await kit.refused('Definition', { id, token: 'x', definition: '{' }, 400, 'invalid_json');
      await kit.refused('Styles', { id, token: 'x', styles: '[]' }, 400, 'invalid_json');
      await kit.refused('Runner', { id, token: 'x', runner: 'fancy' }, 400, 'invalid_runner');
      await kit.refused('Runner', { id, token: 'x', runner: '' }, 400, 'invalid_runner');
      await kit.refused('Runner', { id, token: 'x', runner: 'chat' }, 400, 'invalid_token');
      await kit.refused(
        'Runner',
        { id, token: freshToken.toUpperCase(), runner: 'chat' },
        400,
        'invalid_token',
      );
      expect((await kit.data(id)).token).to.equal(freshToken);
    });

    it('is no JSON object: a number, null, an array, two values, nothing, 100,000 levels', async () => {
      const claim = { id: await kit.form(), token: freshToken };
      const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      for (const text of ['1', 'null', '[{}]', '{}{}', '', ' ', "{'a':1}", '{"a":1,}', '\uFEFF{}', deep]) {
        await kit.refused('Definition', { ...claim, definition: text }, 400, 'invalid_json');
        if (text !== deep) await kit.refused('Hooks', { ...claim, hooks: text }, 400, 'invalid_json');
      }
      const brackets = `{"a":"${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}"}`;
      await kit.update('Definition', { ...claim, definition: brackets }).expect(200);
    });

    it('is too long', async () => {
      const claim = { id: await kit.form(), token: freshToken };
      const text = (bytes: number): string => `{"a":"${'é'.repeat((bytes - 8) / 2)}"}`;
      const mebibyte = 1024 * 1024;
      for (const [part, most] of [
        ['definition', 4 * mebibyte],
        ['styles', mebibyte],
        ['l10n', mebibyte],
        ['shortcode', 65_536],
        ['hooks', 65_536],
        ['trackers', 65_536],
      ] as const) {
        const word = `${part[0]?.toUpperCase()}${part.slice(1)}`;
        expect(Buffer.byteLength(text(most))).to.equal(most);
        await kit.refused(word, { ...claim, [part]: text(most + 2) }, 400, 'rest_invalid_param');
        claim.token = (await kit.update(word, { ...claim, [part]: text(most) }).expect(200)).body.token;
      }
      const data = await kit.data(claim.id);
      expect(data.token).to.equal(claim.token);
      expect(data.texts.definition).to.equal(text(4 * mebibyte));
      const more = 'x'.repeat(5 * mebibyte);
      await kit.refused('Runner', { ...claim, runner: 'chat', more }, 413, 'rest_body_too_large');
    });

    it('is a text of 100 kB, and is answered at once', async () => {
      const id = await kit.form();
      const long = 'a'.repeat(100_000);
      const begun = performance.now();
      await kit.refused('Runner', { id, token: long, runner: long }, 400, 'rest_invalid_param');
      await kit.refused('Runner', { id, token: 'x', runner: long }, 400, 'invalid_runner');
      await kit.refused('Definition', { id, token: 'x', definition: long }, 400, 'invalid_json');
      await kit.refused(
        'Definition',
        { id, token: 'x', definition: '{', name: long },
        400,
        'rest_invalid_param',
      );
      expect(performance.now() - begun).to.be.below(4 * 200);
    });
  });

  it('is for those who may edit the form', async () => {
    const token = freshToken;
    const id = await kit.form({ status: 'publish' });
    await kit.refused('Runner', { id, token, runner: 'chat' }, 401, 'rest_forbidden', kit.lyceum.anonymous);
    for (const role of [null, 'subscriber', 'contributor', 'author']) {
      const body = { id, token, runner: 'chat' };
      await kit.refused('Runner', body, 403, 'invalid_permissions', await kit.person(role));
    }
    const administrator = await kit.person('administrator');
    await kit.update('Runner', { id, token, runner: 'chat' }, administrator).expect(200);
    const cookie = await kit.lyceum.make.session((await kit.lyceum.make.user({ role: 'editor' })).id);
    const half = kit.lyceum.as(cookie.cookie);
    await kit.refused('Runner', { id, token, runner: 'classic' }, 403, 'rest_forbidden', half);
    const own = await kit.form();
    await kit.update('Runner', { id: own, token, runner: 'chat' }, kit.lyceum.as(cookie.signed)).expect(200);
  });

  it('knows no form of another site', async () => {
    const site = await kit.lyceum.make.site();
    const there = await kit.person('administrator', site);
    const id = await kit.form({}, there);
    await kit.refused('Runner', { id, token: freshToken, runner: 'chat' }, 404, 'post_not_found');
    const here = await kit.form();
    const body = { id: here, token: freshToken, runner: 'chat' };
    await kit.refused('Runner', body, 404, 'post_not_found', there);
    await there.get(route(`getRunnerData?id=${here}`)).expect(404);
    await kit.update('Runner', { id, token: freshToken, runner: 'chat' }, there).expect(200);
  });

  it('answers a repeated request by its Idempotency-Key, once', async () => {
    const id = await kit.form();
    const send = () =>
      kit.update('Runner', { id, token: freshToken, runner: 'chat' }).set('Idempotency-Key', `key-${id}`);
    const first = await send().expect(200);
    const second = await send().expect(200);
    expect(second.body).to.deep.equal(first.body);
  });

  it('does not exist where the module is off', async () => {
    const site = await kit.lyceum.make.site();
    const there = await kit.person('administrator', site);
    const id = await kit.form({}, there);
    await there.put('svc/modules/v1/modules/svctutor_form', { enabled: false, scope: 'site' }).expect(200);
    await kit.refused('Runner', { id, token: freshToken, runner: 'chat' }, 404, 'rest_no_route', there);
    await there.get(`${posts}?type=form`).expect(400);
    await there.put('svc/modules/v1/modules/svctutor_form', { enabled: true, scope: 'site' }).expect(200);
    await kit.update('Runner', { id, token: freshToken, runner: 'chat' }, there).expect(200);
  });
});
