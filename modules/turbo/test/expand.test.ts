import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import { posts, route, TurboKit } from './turbo-kit.ts';

describe('turbo: parts of a page that depend on who looks', () => {
  let kit: TurboKit;
  let ann: Client;
  before(async () => {
    kit = await TurboKit.start();
    const user = await kit.lyceum.make.user({ role: 'subscriber', login: 'ann' });
    await kit.lyceum.host.db.knex('users').where('id', user.id).update({ display_name: 'Ann <script>' });
    ann = kit.lyceum.as(user);
  });
  after(() => kit.lyceum.stop());

  const expand = async (page_id: number, texts: readonly string[], who = ann) => {
    const shortcodes = texts.map((shortcode, at) => ({ key: `k${at}`, shortcode }));
    const { body } = await who.post(route('dsh/expand'), { page_id, shortcodes }).expect(200);
    expect(body.page_id).to.equal(page_id);
    return texts.map((_text, at) => body.items[`k${at}`]);
  };
  const html = async (page: number, text: string, who = ann): Promise<string> => {
    const [item] = await expand(page, [text], who);
    expect(item.error).to.equal(null);
    return item.html;
  };
  const code = async (page: number, text: string): Promise<string> => {
    const [item] = await expand(page, [text]);
    expect(item.html).to.equal('');
    return item.error.code;
  };

  it('are those of the caller, escaped', async () => {
    const page = await kit.page('Hello [user field="displayName"] [user field=login]');
    expect(await html(page, '[user field="displayName"]')).to.equal('Ann &lt;script&gt;');
    expect(await html(page, '[user field="displayName"]', kit.editor)).to.equal('eve');
    const answer = await kit.editor
      .post(route('dsh/expand'), {
        page_id: page,
        shortcodes: [{ key: '__proto__', shortcode: '[user field=login]' }],
      })
      .expect(200);
    expect(answer.headers['cache-control']).to.equal('private, no-store');
    expect(answer.text).to.contain('"items":{"__proto__":{"html":"eve","error":null}}');
  });

  it('must stand in the page as it is now', async () => {
    const page = await kit.page(
      '[user field="login"] [user field="password"] [site] [nope] [if_role]x[/if_role]',
    );
    expect(await code(page, '[user field="email"]')).to.equal('turbo_dsh_not_on_page');
    expect(await code(page, '[user field="password"]')).to.equal('turbo_dsh_bad_attributes');
    expect(await code(page, '[site]')).to.equal('turbo_dsh_unknown');
    expect(await code(page, '[nope]')).to.equal('turbo_dsh_unknown');
    expect(await code(page, '[if_role]x[/if_role]')).to.equal('turbo_dsh_bad_attributes');
    expect(await code(page, '[user field="login"] ')).to.equal('turbo_dsh_unknown');
    await kit.editor.patch(`${posts}/${page}`, { content: 'other' }).expect(200);
    expect(await code(page, '[user field="login"]')).to.equal('turbo_dsh_not_on_page');
  });

  it('run no script of an author', async () => {
    const text =
      '[if_role role="subscriber"]<b onclick="x">a</b><script>b</script>[user field=login][/if_role]';
    const page = await kit.page(text);
    expect(await html(page, text)).to.equal('<b>a</b>ann');
    expect(await html(page, text, kit.editor)).to.equal('');
  });

  it('stand in documents of each editor', async () => {
    const turbo = await kit.page('', {
      meta: {
        editor: 'turbo',
        turbo_html: '<head>[user]</head><body>[user field="id"]',
      },
    });
    expect(await html(turbo, '[user field="id"]')).to.match(/^\d+$/);
    expect(await code(turbo, '[user]')).to.equal('turbo_dsh_not_on_page');
    const widget = {
      elType: 'widget',
      widgetType: 'text-editor',
      settings: { editor: '[user field="login"]' },
    };
    const built = await kit.page('', {
      meta: { editor: 'pagebuilder', pagebuilder_data: JSON.stringify([widget]) },
    });
    expect(await html(built, '[user field="login"]')).to.equal('ann');
  });

  it('a form is shown to whoever may see it, while forms are on', async () => {
    const form = (await kit.editor.post(posts, { type: 'form', title: 'F', status: 'publish' }).expect(201))
      .body.id;
    const page = await kit.page(`[form id="${form}"] [form id="x"]`);
    expect(await html(page, `[form id="${form}"]`)).to.equal(
      `<div data-svc-form="${form}" data-runner="autoscroll"></div>`,
    );
    expect(await code(page, '[form id="x"]')).to.equal('turbo_dsh_bad_attributes');
    await kit.admin.put('svc/modules/v1/modules/svctutor_form', { enabled: false }).expect(200);
    expect(await code(page, `[form id="${form}"]`)).to.equal('turbo_dsh_unknown');
    await kit.admin.put('svc/modules/v1/modules/svctutor_form', { enabled: true }).expect(200);
  });

  it('are for those who may read the page', async () => {
    const body = (page_id: number) => ({ page_id, shortcodes: [{ key: 'a', shortcode: '[user]' }] });
    const asked = (client: Client, id: number) => client.post(route('dsh/expand'), body(id));
    const draft = await kit.page('[user]', { status: 'draft' });
    const hidden = await kit.page('[user]', { status: 'private' });
    const trashed = await kit.page('[user]');
    await kit.editor.delete(`${posts}/${trashed}`).expect(200);
    const post = (await kit.editor.post(posts, { type: 'post', title: 'P', content: '[user]' }).expect(201))
      .body.id;
    const site = await kit.lyceum.make.site();
    const stranger = kit.lyceum.as(
      await kit.lyceum.make.user({ role: 'administrator', site: site.blog_id }),
      site,
    );
    const open = await kit.page('[user]');
    for (const id of [draft, hidden, trashed, post, 999_999]) {
      await kit.refused(ann, ['post', 'dsh/expand', body(id)], 404, 'turbo_page_not_found');
    }
    expect((await asked(stranger, open)).body.code).to.equal('turbo_page_not_found');
    await asked(kit.editor, draft).expect(200);
    await asked(kit.editor, hidden).expect(200);
    await asked(kit.lyceum.as(await kit.lyceum.make.user({ role: null })), open).expect(200);
    await kit.refused(kit.lyceum.anonymous, ['post', 'dsh/expand', body(open)], 401, 'rest_forbidden');
  });

  it('what is asked for is checked', async () => {
    const page = await kit.page('[user]');
    const one = { key: 'a', shortcode: '[user]' };
    for (const shortcodes of [
      [],
      [one, one],
      Array.from({ length: 101 }, (_none, at) => ({ key: `${at}`, shortcode: '[user]' })),
      [{ key: '', shortcode: '[user]' }],
      [{ key: 'a'.repeat(65), shortcode: '[user]' }],
      [{ key: 'a', shortcode: '' }],
      [{ key: 'a', shortcode: 'x'.repeat(2001) }],
      [{ key: 1, shortcode: '[user]' }],
      [null],
      'x',
    ]) {
      await kit.refused(
        ann,
        ['post', 'dsh/expand', { page_id: page, shortcodes }],
        400,
        'rest_invalid_param',
      );
    }
    await kit.refused(
      ann,
      ['post', 'dsh/expand', { page_id: '1', shortcodes: [one] }],
      400,
      'rest_invalid_param',
    );
    await kit.refused(ann, ['post', 'dsh/expand', { page_id: page }], 400, 'rest_missing_callback_param');
    const large = { page_id: page, shortcodes: [one], more: 'x'.repeat(256 * 1024) };
    await kit.refused(ann, ['post', 'dsh/expand', large], 413, 'rest_body_too_large');
    const many = Array.from({ length: 100 }, () => '[user]');
    expect(new Set((await expand(page, many)).map((item) => item.html))).to.deep.equal(
      new Set(['Ann &lt;script&gt;']),
    );
  });
});
