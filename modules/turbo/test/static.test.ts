import { createHash } from 'node:crypto';
import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import { modules, posts, route, TurboKit } from './turbo-kit.ts';

/** A PNG of one pixel, told apart by the bytes behind it. */
const png = (tail = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(tail),
  ]);
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

describe('turbo: pages as static files', () => {
  let kit: TurboKit;
  before(async () => {
    kit = await TurboKit.start({ modules: ['turbo', 'svctutor_form', 'enable_media_replace'] });
  });
  after(() => kit.lyceum.stop());

  const upload = async (tail: string, client: Client = kit.editor): Promise<{ id: number; url: string }> => {
    const answer = await client.post('svc/host/v1/media').attach('file', png(tail), 'dot.png').expect(201);
    return { id: answer.body.id, url: answer.body.source_url ?? answer.body.url };
  };
  const index = async (id: number): Promise<string> => (await kit.fetch((await kit.static(id)).url)).text;
  const bodyOf = (text: string): string => /<main data-editor="\w+">\n(.*)\n<\/main>/s.exec(text)?.[1] ?? '';

  it('are rendered once, and served as pages in which nothing but their own script runs', async () => {
    const content =
      'Hello [user field="displayName"], this is [site] [if_role role="editor"]<b>x</b>[/if_role]';
    const id = await kit.page(content, { title: 'One & <two>', lang: 'nl' });
    const first = await kit.static(id);
    expect(await kit.static(id)).to.deep.equal(first);
    expect(first).to.deep.include({
      page_id: id,
      editor: 'block',
      status: 'publish',
      stale: false,
      entry: 'index.html',
    });
    expect(first.hash).to.equal(sha256(content));
    expect(first.placeholders).to.deep.equal([
      { key: 'd1', shortcode: '[user field="displayName"]' },
      { key: 'd2', shortcode: '[if_role role="editor"]<b>x</b>[/if_role]' },
    ]);
    expect(first.missing).to.deep.equal([]);
    expect(first.files.map(({ name }: { name: string }) => name)).to.deep.equal([
      'index.html',
      'turbo.css',
      'turbo.js',
    ]);
    const page = await kit.fetch(first.url);
    expect([
      page.status,
      page.headers.get('content-type'),
      page.headers.get('content-disposition'),
    ]).to.deep.equal([...[200, 'text/html', null]]);
    expect(page.text).to.match(/^<!doctype html>\n<html lang="nl">\n<head>\n<meta charset="utf-8">/);
    expect(page.text).to.contain('<title>One &amp; &lt;two&gt;</title>').and.not.contain('eve');
    const title = (await kit.lyceum.host.db.knex('sites').where('blog_id', 1).first('title')).title;
    expect(bodyOf(page.text)).to.equal(
      'Hello <svc-dsh data-key="d1" data-shortcode="[user field=&quot;displayName&quot;]"></svc-dsh>, this is ' +
        `${title} <svc-dsh data-key="d2" data-shortcode="[if_role role=&quot;editor&quot;]&lt;b&gt;x&lt;/b&gt;[/if_role]"></svc-dsh>`,
    );
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).to.match(
      /^default-src 'self' https: data: blob:; script-src http:\/\/\S+ ?\S*; object-src 'none'; base-uri 'none'; form-action 'self'$/,
    );
    expect(policy).to.contain(first.url.replace('index.html', 'turbo.js'));
    for (const { url, bytes, sha256: hash, mime_type } of first.files) {
      const { status, text, headers } = await kit.fetch(url);
      expect([
        status,
        Buffer.byteLength(text),
        sha256(text),
        headers.get('content-type')?.split(';')[0],
      ]).to.deep.equal([...[200, bytes, hash, mime_type]]);
    }
    expect((await kit.fetch(first.url.replace('index.html', ''))).text).to.equal(page.text);
    expect((await kit.fetch(first.url, { 'Service-Worker': 'script' })).status).to.equal(403);
  });

  it('are made anew when page, title, settings, shortcodes or what modules add have changed', async () => {
    const id = await kit.page('a');
    let before = await kit.static(id);
    const changes = {
      content: () => kit.editor.patch(`${posts}/${id}`, { content: 'b' }).expect(200),
      title: () => kit.editor.patch(`${posts}/${id}`, { title: 'Other' }).expect(200),
      limit: () =>
        kit.admin.patch(`${modules}/turbo/settings`, { settings: { static_max_files: 400 } }).expect(200),
      site: () =>
        kit.admin.patch(`${modules}/host/settings`, { settings: { description: 'New' } }).expect(200),
      shortcodes: () => kit.admin.put(`${modules}/svctutor_form`, { enabled: false }).expect(200),
    };
    for (const [name, change] of Object.entries(changes)) {
      await change();
      const after = await kit.static(id);
      expect(after.url, name).to.not.equal(before.url);
      expect(after.hash === before.hash, name).to.equal(name !== 'content');
      // For an hour, for those who have the old page open.
      expect((await kit.fetch(before.url)).status, name).to.equal(200);
      before = after;
    }
    await kit.admin.put(`${modules}/svctutor_form`, { enabled: true }).expect(200);
    const { knex } = kit.lyceum.host.db;
    await knex('turbo_static')
      .where('page_id', id)
      .whereNotNull('remove_after')
      .update({ remove_after: knex.fn.now() });
    const old = await knex('turbo_static').where('page_id', id).whereNotNull('remove_after');
    const key = (folder: string): string => `sites/1/turbo/${folder}/index.html`;
    expect(await kit.stored(key(old[0].folder))).to.equal(true);
    await kit.sweep();
    for (const { folder } of old) expect(await kit.stored(key(folder))).to.equal(false);
    expect((await kit.fetch(before.url)).status).to.equal(200);
    expect(await knex('turbo_static').where('page_id', id)).to.have.length(1);
  });

  it('get a file anew that took the place of one of theirs', async () => {
    const image = await upload('former');
    const id = await kit.page(`<img src="${image.url}">`);
    const other = await kit.static(await kit.page('Nothing of it'));
    const before = await kit.static(id);
    const replace = `svc/enable-media-replace/v1/attachments/${image.id}/replace`;
    await kit.editor.post(replace).attach('file', png('latter'), 'dot.png').expect(200);
    const after = await kit.static(id);
    expect(after.url).to.not.equal(before.url);
    expect((await kit.fetch(before.url)).status).to.equal(200);
    const sums = (page: { files: { sha256: string }[] }) => page.files.map((file) => file.sha256);
    expect(sums(before)).to.include(sha256(png('former')));
    expect(sums(after))
      .to.include(sha256(png('latter')))
      .and.not.include(sha256(png('former')));
    expect(await kit.static(other.page_id)).to.deep.equal(other);
  });

  it('take along the files of the site that they name, each once', async () => {
    const one = await upload('one');
    const same = await upload('one');
    const two = await upload('two');
    const hidden = await upload('hidden');
    await kit.editor.patch(`svc/host/v1/media/${hidden.id}`, { status: 'private' }).expect(200);
    const path = (url: string): string => new URL(url).pathname;
    const gone = new URL('/files/media/none.png', one.url).href;
    const content =
      `<p style="background:url(${one.url})"><img src="${path(one.url)}#x" srcset="${same.url} 1x, ${two.url} 2x"></p>` +
      `<style>i { background: url("${two.url}") }</style><a href="${one.url}?v=1">a</a><img src="${gone}"><img src="${gone}">` +
      `<img src="${hidden.url}"><img src="https://other.example/files/x.png"><a href="#there">b</a><a href="about">c</a>` +
      `<img src="/files/%2e%2e/secret"><img src="/files/media/..%2f..%2fx"><iframe src="/files/embed-packages/1/x.html"></iframe>`;
    const id = await kit.page(content);
    const { files, url, missing } = await kit.static(id);
    const media = files.filter(({ name }: { name: string }) => name.startsWith('media/'));
    expect(media).to.have.length(2);
    const name = (tail: string): string => `media/${sha256(png(tail)).slice(0, 32)}.png`;
    const nameOne = name('one');
    const nameTwo = name('two');
    expect(media.map((file: { name: string }) => file.name).sort()).to.deep.equal([nameOne, nameTwo].sort());
    const stored = media.find((file: { name: string }) => file.name === nameOne);
    expect(stored).to.deep.include({
      bytes: png('one').length,
      sha256: sha256(png('one')),
      mime_type: 'image/png',
    });
    const { headers } = await kit.fetch(stored.url);
    expect([headers.get('content-type'), headers.get('content-disposition')]).to.deep.equal([
      'image/png',
      null,
    ]);
    const site = new URL('/', url).href;
    const text = (await kit.fetch(url)).text;
    expect(bodyOf(text)).to.equal(
      `<p data-svc-style="1"><img src="${nameOne}#x" srcset="${nameOne} 1x, ${nameTwo} 2x"></p><a href="${nameOne}">a</a>` +
        `<img src="${gone}"><img src="${gone}"><img src="${hidden.url}"><img src="https://other.example/files/x.png">` +
        `<a href="#there">b</a><a href="${new URL('about', one.url.replace(/files\/.*/, '')).href}">c</a>` +
        `<img src="${site}secret"><img src="/files/media/..%2f..%2fx"><iframe src="/files/embed-packages/1/x.html"></iframe>`,
    );
    expect(missing).to.deep.equal([
      ...[gone, hidden.url, '/files/media/..%2f..%2fx', '/files/embed-packages/1/x.html'],
    ]);
    const css = (await kit.fetch(url.replace('index.html', 'turbo.css'))).text;
    expect(css).to.contain(`i { background: url("${nameTwo}") }`);
    expect(css).to.contain(
      `[data-svc-style="1"][data-svc-style="1"][data-svc-style="1"][data-svc-style="1"] { background:url(${nameOne}) }`,
    );
  });

  it('run nothing of an author', async () => {
    const turbo_html =
      '<head><style>p { color: red }</style></head><body><script>1</script><p onclick="x">a<a href="javascript:x">b</a><img src=x onerror=y>' +
      '<svg><style><img src=x onerror=alert(1)></style></svg></body>';
    const { url } = await kit.static(await kit.page('', { meta: { editor: 'turbo', turbo_html } }));
    const { text } = await kit.fetch(url);
    expect((await kit.fetch(url.replace('index.html', 'turbo.css'))).text).to.contain('p { color: red }');
    expect(text.match(/<script/g)).to.have.length(1);
    expect(text).to.not.match(/onclick|onerror|javascript:/);
  });

  it('are those of pages and modals, for whoever may edit posts', async () => {
    const id = await kit.page('a');
    const modal = (
      await kit.editor.post(posts, { type: 'modal', title: 'M', content: 'm', status: 'publish' }).expect(201)
    ).body.id;
    expect(await index(modal)).to.contain('m');
    const form = (await kit.editor.post(posts, { type: 'form', title: 'F' }).expect(201)).body.id;
    const trashed = await kit.page('t');
    const { url } = await kit.static(trashed);
    await kit.editor.delete(`${posts}/${trashed}`).expect(200);
    expect((await kit.fetch(url)).status).to.equal(404);
    for (const wrong of [form, trashed, 999_999]) {
      await kit.refused(kit.editor, ['get', `static/${wrong}`], 404, 'turbo_page_not_found');
    }
    for (const wrong of ['0', 'x', '-1', '99999999999']) {
      await kit.refused(kit.editor, ['get', `static/${wrong}`], 400, 'rest_invalid_param');
    }
    await kit.refused(await kit.person('subscriber'), ['get', `static/${id}`], 403, 'rest_forbidden');
    await kit.refused(kit.lyceum.anonymous, ['get', `static/${id}`], 401, 'rest_forbidden');
    const contributor = await kit.person('contributor');
    await contributor.get(route(`static/${id}`)).expect(200);
    const draft = await kit.page('d', { status: 'draft' });
    await kit.refused(contributor, ['get', `static/${draft}`], 403, 'rest_forbidden');
    expect((await kit.static(draft)).status).to.equal('draft');
    const site = await kit.lyceum.make.site();
    const there = kit.lyceum.as(
      await kit.lyceum.make.user({ role: 'administrator', site: site.blog_id }),
      site,
    );
    await kit.refused(there, ['get', `static/${id}`], 404, 'turbo_page_not_found');
    const foreign = await fetch(
      `${kit.lyceum.origin}${site.path}${new URL((await kit.static(id)).url).pathname.slice(1)}`,
    );
    expect(foreign.status).to.equal(404);
  });

  it('have limits', async () => {
    const limits = async (static_max_files: number, static_max_bytes: number): Promise<void> => {
      await kit.lyceum.make.settings('turbo', { static_max_files, static_max_bytes });
    };
    const { url } = await upload('limits');
    const id = await kit.page(`<img src="${url}">`);
    const { knex } = kit.lyceum.host.db;
    for (const [files, bytes] of [
      [3, 10_000_000],
      [4, 1_000],
      [4, 1],
    ] as const) {
      await limits(files, bytes);
      await kit.refused(kit.editor, ['get', `static/${id}`], 422, 'turbo_static_too_large');
    }
    const [failed] = await knex('turbo_static').where('page_id', id);
    expect(await kit.stored(`sites/1/turbo/${failed.folder}/index.html`)).to.equal(false);
    await limits(4, 10_000_000);
    await kit.static(id);
    const deep = await kit.page('<div>'.repeat(1_000));
    await kit.refused(kit.editor, ['get', `static/${deep}`], 422, 'turbo_static_too_large');
  });

  it('nothing else lies there, and nothing where the module is off', async () => {
    const { url } = await kit.static(await kit.page('a'));
    for (const wrong of [
      url.replace('index.html', 'other.html'),
      url.replace('index.html', 'constructor'),
      url.replace('index.html', 'media/'),
      url.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
      url.replace(/[0-9a-f]{32}\/index.html/, ''),
      url.replace('index.html', '..%2findex.html'),
    ]) {
      expect((await kit.fetch(wrong)).status, wrong).to.equal(404);
    }
    await kit.admin.put(`${modules}/turbo`, { enabled: false }).expect(200);
    expect((await kit.fetch(url)).status).to.equal(404);
    await kit.admin.put(`${modules}/turbo`, { enabled: true }).expect(200);
    expect((await kit.fetch(url)).status).to.equal(200);
  });
});
