import { readdir } from 'node:fs/promises';
import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { file, hashOf, LocalKit, page, png, told } from './local-kit.ts';

interface FileResult {
  readonly path: string;
  readonly action: string;
  readonly needs_content: boolean;
  readonly url: string | null;
  readonly error: { readonly code: string } | null;
}

const outcome = ({ action, error }: FileResult): string =>
  error ? error.code.replace('local_sync_', '') : action;

describe('local_sync: files', () => {
  let kit: LocalKit;
  let now = new Date();
  before(async () => {
    kit = await LocalKit.start({
      modules: ['local_sync', 'site_duplicator', 'site_manager'],
      config: { workers: 'inline' },
      now: () => now,
    });
  });
  after(() => kit.lyceum.stop());

  const outcomes = async (files: readonly object[], project = kit.project()) =>
    ((await kit.synced(project, [], { files })).files as FileResult[]).map(outcome);
  const ask = (url: string, init: RequestInit = {}) =>
    fetch(`${kit.lyceum.origin}${new URL(url).pathname}`, init);
  /** Files of the main site that lie in the storage. */
  const stored = async (): Promise<number> => {
    const names = await readdir(kit.lyceum.dataDir, { recursive: true });
    return names.filter((name) => /sites\/1\/local\/[0-9a-f]{32}$/.test(name)).length;
  };

  it('are taken by their content, whatever their name', async () => {
    const text = (name: string, content: string) => file(name, Buffer.from(content));
    const right = [
      ...[
        file('a.png', png()),
        text('a.css', 'p { color: red }'),
        text('a.js', 'let a = 1;'),
        text('a.json', '{}'),
      ],
      ...[
        text('a.txt', 'text'),
        text('a.md', '# a'),
        text('a.csv', 'a,b'),
        text('empty.css', ''),
        text('a.vtt', 'WEBVTT\n'),
      ],
      ...[
        text('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
        text('a.pdf', '%PDF-1.7\n1 0 obj'),
        file('bare', png()),
      ],
    ];
    expect(await outcomes(right)).to.deep.equal(right.map(() => 'create'));
    const wrong = [
      ...[
        text('a.png', '<html><script>x</script></html>'),
        text('b.png', '#!/bin/sh\nrm'),
        text('c.png', 'MZ\x90'),
      ],
      ...[
        text('a.html', '<p>x</p>'),
        text('a.php', '<?php'),
        text('a.exe', 'MZ'),
        file('a.css', png()),
        text('d.json', '{'),
      ],
      ...[
        text('empty.png', ''),
        text('a.jpg', '<svg/>'),
        text('e.css', '<script>x</script>'),
        text('a.zip', 'PK\x03\x04'),
      ],
      text('README', 'words'),
    ];
    expect(await outcomes(wrong)).to.deep.equal(wrong.map(() => 'type_not_allowed'));
  });

  it('have paths that lead nowhere else, their own bytes, and come when they are needed', async () => {
    const named = (name: string) => ({ ...file('x.png', png()), path: name });
    const bad = [
      '',
      '/a.png',
      '../a.png',
      'a/../b.png',
      'a\\b.png',
      'a\0.png',
      'a\u0007.png',
      'a//b.png',
      'a/',
      '\ud800',
    ];
    bad.push(`${'x'.repeat(252)}.png`);
    expect(await outcomes(bad.map(named))).to.deep.equal(bad.map(() => 'bad_path'));
    expect(await outcomes([{ ...file('a.png', png()), sha256: 'a'.repeat(64) }])).to.deep.equal([
      'hash_mismatch',
    ]);
    const bare = { path: 'a.png', sha256: hashOf(png()) };
    const project = kit.project();
    const planned = await kit.synced(project, [], { files: [bare], dry_run: true });
    expect(planned.files[0]).to.deep.include({
      action: 'create',
      needs_content: true,
      url: null,
      error: null,
    });
    expect(await outcomes([bare], project)).to.deep.equal(['content_required']);
    expect(await outcomes([file('a.png', png())], project)).to.deep.equal(['create']);
    expect(await outcomes([bare], project)).to.deep.equal(['unchanged']);
    const large = file('large.txt', Buffer.alloc(10 * 1024 * 1024, 'a'));
    expect(await outcomes([large])).to.deep.equal(['create']);
    const larger = file('large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'));
    const { body } = await kit.sync(kit.project(), [], { files: [larger] }).expect(400);
    expect(Object.keys(body.data.params)).to.deep.equal(['files[0].content_base64']);
  });

  it('are served for good, in part, harmlessly, and only on their site', async () => {
    const { files } = await kit.synced(kit.project(), [], {
      files: [
        file('Ä b.png', png()),
        file('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
        file('a.js', Buffer.from('let a;')),
      ],
    });
    const [picture, svg, script] = files as [FileResult, FileResult, FileResult];
    const found = await ask(picture.url ?? '', { headers: { Range: 'bytes=1-3' } });
    expect([found.status, await found.text()]).to.deep.equal([206, 'PNG']);
    expect(found.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(found.headers.get('x-content-type-options')).to.equal('nosniff');
    for (const { url } of [svg, script]) {
      expect((await ask(url ?? '', { method: 'HEAD' })).headers.get('content-disposition')).to.equal(
        'attachment',
      );
    }
    const site = await kit.lyceum.make.site();
    const elsewhere = await fetch(
      `${kit.lyceum.origin}${site.path}${new URL(picture.url ?? '').pathname.slice(1)}`,
    );
    expect(elsewhere.status).to.equal(404);
  });

  it('change every page that names them, also those that the manifest leaves out, and no other', async () => {
    const project = kit.project();
    const pages = ['a', 'b', 'c', 'd'].map((key) =>
      page(key, `<img src="local://${key === 'd' ? 'y' : 'x'}.png">`),
    );
    const first = await kit.synced(project, pages, { files: [file('x.png', png()), file('y.png', png())] });
    const ids = first.pages.map((one: { post_id: number }) => one.post_id);
    await kit.edit(ids[1], { content: 'by the site' });
    const more = { files: [file('x.png', png('new'))] };
    const plan = await kit.synced(project, [told('a', pages[0]?.content as string)], {
      ...more,
      dry_run: true,
    });
    const done = await kit.synced(project, [told('a', pages[0]?.content as string)], more);
    for (const { pages: results } of [plan, done]) {
      expect(results.map((one: { key: string; reason: string }) => `${one.key} ${one.reason}`)).to.deep.equal(
        ['a file', 'c file'],
      );
    }
    expect((await kit.post(ids[2])).content).to.contain(done.files[0].url);
    expect((await kit.post(ids[1])).content).to.equal('by the site');
    expect((await kit.post(ids[3])).content).to.contain(first.files[1].url);
  });

  it('are taken up again by the next sync where one broke off between them and their pages', async () => {
    const project = kit.project();
    const content = '<img src="local://x.png">';
    const [{ post_id: id }] = (
      await kit.synced(project, [page('a', content)], { files: [file('x.png', png())] })
    ).pages;
    const only = await kit.synced(project, [], { files: [file('x.png', png('2'))] });
    expect(only.pages[0]).to.deep.include({ key: 'a', reason: 'file' });
    // As a process that was killed would leave it: the file is new, the page is not.
    await kit
      .knex('local_page_files')
      .where({ path: 'x.png', key: 'a' })
      .update({ sha256: hashOf(png()) });
    const bare = { files: [{ path: 'x.png', sha256: hashOf(png('2')) }] };
    const [again] = (await kit.synced(project, [told('a', content)], bare)).pages;
    expect(again).to.deep.include({ action: 'update', reason: 'file' });
    expect((await kit.synced(project, [told('a', content)], bare)).pages[0].action).to.equal('unchanged');
    expect((await kit.post(id)).content).to.contain(hashOf(png('2')));
  });

  it('that gave way are kept while pages name them, then go; so do those without a row', async () => {
    const project = kit.project();
    const files = (salt: string) => ({ files: [file('x.png', png(`gave way ${salt}`))] });
    const content = '<img src="local://x.png">';
    const first = await kit.synced(project, [page('kept', content), page('moved', content)], files('1'));
    const old = first.files[0].url;
    await kit.edit(first.pages[0].post_id, { content: `mine ${old}` });
    const second = await kit.synced(project, [], files('2'));
    const third = await kit.synced(project, [], files('3'));
    await kit.knex('local_stray_files').insert({ file_key: `sites/1/local/${'a'.repeat(32)}`, blog_id: 1 });
    await runSchedule(kit.lyceum, 'local_sync.sweep-files');
    for (const url of [old, second.files[0].url, third.files[0].url])
      expect((await ask(url)).status).to.equal(200);
    const gone = await kit
      .knex('local_project_files')
      .whereILike('served', `%${hashOf(png('gave way 2'))}%`)
      .pluck('file_key');
    now = new Date(Date.now() + 23 * 3_600_000);
    await runSchedule(kit.lyceum, 'local_sync.sweep-files');
    now = new Date();
    expect((await ask(second.files[0].url)).status).to.equal(404);
    for (const url of [old, third.files[0].url]) expect((await ask(url)).status).to.equal(200);
    expect(await kit.knex('local_stray_files')).to.deep.equal([]);
    const names = await readdir(kit.lyceum.dataDir, { recursive: true });
    expect(names.filter((name) => gone.some((key: string) => name.endsWith(key)))).to.deep.equal([]);
    // The content before is wanted again.
    const back = await kit.synced(project, [], files('1'));
    expect(back.files[0]).to.deep.include({ action: 'update', url: old });
    expect((await ask(old)).status).to.equal(200);
  });

  it('go with their project, whose pages stay', async () => {
    const project = kit.project();
    const { pages, files } = await kit.synced(project, [page('a', '<img src="local://x.png">')], {
      files: [file('x.png', png())],
    });
    const before = await stored();
    const { body } = await kit.client.delete(`svc/local-sync/v1/projects/${project}`).expect(200);
    expect(body).to.deep.equal({ deleted: true, project });
    expect((await kit.post(pages[0].post_id)).status).to.equal('draft');
    expect((await ask(files[0].url)).status).to.equal(404);
    expect(before - (await stored())).to.equal(1);
    await kit.client.delete(`svc/local-sync/v1/projects/${project}`).expect(404);
    const [audited] = (await kit.audited('delete_project')).slice(-1);
    expect(audited).to.deep.include({ from: { project, files: 1 }, user_id: 1 });
    expect(await kit.knex('local_project_pages').where({ post_id: pages[0].post_id })).to.deep.equal([]);
  });

  it('come along when their site is copied; the project does not', async () => {
    const source = await kit.lyceum.make.site();
    const { pages, files } = await kit.synced(
      'copied',
      [page('a', '<img src="local://x.png">', { status: 'publish' })],
      { files: [file('x.png', png())] },
      source,
    );
    const url = `svc/site-duplicator/v1/sites/${source.blog_id}/duplicate`;
    const { body: begun } = await kit.client.post(url, { title: 'Copy', slug: 'the-copy' }).expect(202);
    let job = begun;
    while (!['completed', 'failed'].includes(job.status)) {
      job = (await kit.client.get(`svc/site-duplicator/v1/jobs/${begun.job_id}?wait=10`).expect(200)).body;
    }
    expect(job.status).to.equal('completed');
    const copy = await kit
      .knex('posts')
      .where({ blog_id: job.result.blog_id, type: 'page' })
      .orderBy('id', 'desc');
    const found = copy.find(({ content }: { content: string }) => content.includes('/files/local/'));
    expect(found.content).to.contain(files[0].url.replace(source.path, '/the-copy/'));
    const served = await ask(/src="([^"]+)"/.exec(found.content)?.[1] ?? '');
    expect(served.status).to.equal(200);
    expect(await kit.knex('local_projects').where({ blog_id: job.result.blog_id })).to.deep.equal([]);
    expect(pages).to.have.length(1);
  }).timeout(60_000);
});
