import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import { BuildKit, picture } from './build-kit.ts';

const steps = ({ logs }: { readonly logs: readonly { readonly step: string }[] }): string =>
  logs.map(({ step }) => step).join('\n');

describe('static_builder: what a course contains', () => {
  let kit: BuildKit;
  let outside: Server;
  let elsewhere: string;
  const asked: string[] = [];

  before(async () => {
    outside = createServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const answers: Readonly<Record<string, readonly [string, string | Buffer]>> = {
        '/dot.gif': ['image/gif', picture(200)],
        '/style.css': ['text/css', `@import "more.css"; body { background: url(dot.gif) }`],
        '/more.css': ['text/css', `@import "style.css"; p { src: url('/font.woff2#iefix') }`],
        '/font.woff2': ['font/woff2', 'font'],
        '/page.html': ['text/html', '<p>no</p>'],
      };
      const [type, body] = answers[path] ?? ['', ''];
      if (path === '/moved.gif') response.writeHead(302, { Location: '/dot.gif' }).end();
      else if (type === '') response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': type }).end(body);
    });
    await new Promise<void>((ready) => outside.listen(0, '127.0.0.1', ready));
    const { port } = outside.address() as AddressInfo;
    elsewhere = `http://127.0.0.1:${port}`;
    kit = await BuildKit.start();
    await kit.lyceum.make.settings('host', { outbound_allow: [`127.0.0.1:${port}`] });
  });
  after(async () => {
    await kit.stop();
    outside.close();
  });

  const pageOf = async (build: { readonly files_url: string }, number = 0): Promise<string> => {
    const { pages } = JSON.parse(await kit.text(build, 'course.json')) as { pages: { href: string }[] };
    return kit.text(build, pages[number]?.href ?? '');
  };

  it('is fetched from other hosts where it is shown, with what its style sheets name', async () => {
    const page = await kit.page(
      'Outside',
      `<img src="${elsewhere}/dot.gif"><img src="${elsewhere}/moved.gif"><img src="${elsewhere}/page.html">
       <img src="http://169.254.169.254/x.png"><img src="file:///etc/passwd"><a href="${elsewhere}/dot.gif">link</a>
       <script src="${elsewhere}/script.js"></script><link rel="stylesheet" href="${elsewhere}/style.css">`,
    );
    const build = await kit.course([page]);
    const html = await pageOf(build);
    const zip = await kit.zip(build);
    const media = [...zip.keys()].filter((name) => name.startsWith('media/'));
    const endings = media.map((name) => name.split('.')[1]).sort();
    expect(endings).to.deep.equal(['css', 'css', 'gif', 'woff2']);
    const gif = media.find((name) => name.endsWith('.gif')) ?? '';
    expect(html).to.include(`<img src="../${gif}">`).and.include(`<a href="../${gif}">link</a>`);
    for (const left of ['/moved.gif', '/page.html', '/script.js'])
      expect(html).to.include(`src="${elsewhere}${left}"`);
    expect(html).to.include('src="http://169.254.169.254/x.png"').and.include('src="file:///etc/passwd"');
    expect(asked).to.not.include('/script.js');
    const log = steps(build);
    for (const left of [
      '/moved.gif (answered 302)',
      '/page.html (is text/html)',
      '169.254.169.254/x.png',
      'file:///etc/passwd',
    ]) {
      expect(log).to.include(left);
    }
    const styles = media
      .filter((name) => name.endsWith('.css'))
      .map((name) => zip.get(name)?.toString() ?? '');
    const outer = styles.find((text) => text.includes('background')) ?? '';
    expect(outer)
      .to.include(`url(${gif.slice('media/'.length)})`)
      .and.not.include(elsewhere);
    expect(styles.find((text) => text.includes('src:')) ?? '').to.match(
      /url\(["']?[0-9a-f]{32}\.woff2#iefix/,
    );
  });

  it('stays elsewhere where the site says so, and in a course that is served live', async () => {
    const url = await kit.upload(picture(11), 'own.gif');
    const page = await kit.page('Live', `<img src="${elsewhere}/dot.gif"><img src="${url}">`);
    const live = await kit.course([page], { export_mode: 'live' });
    expect(live).to.include({ zip_url: null }).and.have.property('view_url').that.is.a('string');
    expect(await pageOf(live))
      .to.include(`src="${elsewhere}/dot.gif"`)
      .and.match(/src="\.\.\/media\/[0-9a-f]{32}\.gif"/);
    await kit.lyceum.make.settings('static_builder', {
      ...{
        save_external_files: false,
        not_include_media_files_build: true,
        disable_auto_addition_data: true,
      },
    });
    const bare = await kit.course([page]);
    await kit.lyceum.make.settings('static_builder', {
      ...{
        save_external_files: null,
        not_include_media_files_build: false,
        disable_auto_addition_data: false,
      },
    });
    expect(await pageOf(bare))
      .to.include(`src="${elsewhere}/dot.gif"`)
      .and.include(`src="${url}"`);
    const names = [...(await kit.zip(bare)).keys()];
    expect(names.filter((name) => name.startsWith('media/'))).to.deep.equal([]);
    expect(names).to.not.include('about.html');
  });

  it('has one file of what is shown twice, and stores nothing again in the next run', async () => {
    const url = await kit.upload(picture(12), 'twice.gif');
    const ids = [await kit.page('A', `<img src="${url}">`), await kit.page('B', `<img src="${url}?v=2">`)];
    const first = await kit.course(ids);
    const before = (await kit.stored()).filter((key) => key.includes(`/${first.id}-`));
    const { knex } = kit.lyceum.host.db;
    const [{ file_key: zipKey }] = await knex('static_build_files').where({
      build_id: first.id,
      kind: 'zip',
    });
    const again = await kit.built(first.id);
    expect(steps(again)).to.include('pages: 0 rendered, 2 from the cache');
    const rows = await knex('static_build_files')
      .where({ build_id: first.id, revision: 2 })
      .whereIn('kind', ['page', 'media']);
    expect(rows).to.have.length(3);
    for (const { file_key } of rows) expect(before).to.include(file_key);
    const end = Date.now() + 10_000;
    const left = async () => (await kit.stored()).filter((key) => key.includes(`/${first.id}-`));
    while ((await left()).some((key) => key === zipKey)) expect(Date.now()).to.be.lessThan(end);
    expect((await pageOf(again, 1)).match(/media\/[0-9a-f]{32}\.gif/)?.[0]).to.be.a('string');
  });

  it('is the same to the byte when the same goes in', async () => {
    const ids = [await kit.page('Same')];
    const one = await kit.course(ids, { api_type: 'scorm2004' });
    const { knex } = kit.lyceum.host.db;
    const sums = async (id: number) =>
      knex('static_build_files')
        .where({ build_id: id, revision: 1 })
        .orderBy('path')
        .select('path', 'sha256');
    const before = await sums(one.id);
    await knex('static_builds')
      .where({ id: one.id })
      .update({ status: 'new', revision: 0, published_revision: null });
    await knex('static_build_files').where({ build_id: one.id }).delete();
    await knex('static_build_pages').where({ build_id: one.id }).delete();
    await kit.built(one.id);
    expect(await sums(one.id)).to.deep.equal(before);
  });

  it('plays sounds and films of attachments, with their cues in the page', async () => {
    const url = await kit.upload(wav(1), 'sound.wav');
    const page = await kit.page('Sound', `<audio controls><source src="${url}"></audio>`);
    const build = await kit.course([page]);
    expect(await pageOf(build)).to.match(/<audio controls="" src="\.\.\/media\/[0-9a-f]{32}\.wav"><\/audio>/);
  });

  it('is made of sections where their first page stands', async () => {
    const section = async (name: string): Promise<number> =>
      (await kit.admin.post('svc/host/v1/terms', { taxonomy: 'course_section', name }).expect(201)).body.id;
    const [a, b] = [await section('Alpha'), await section('Beta')];
    const ids = [
      await kit.page('One', 'x', { terms: { course_section: [b] } }),
      await kit.page('Two', 'x', { terms: { course_section: [a] } }),
      await kit.page('Three', 'x', { terms: { course_section: [b] } }),
      await kit.page('Four', 'x'),
    ];
    const build = await kit.course(ids, { course_name: 'Menu' });
    const { pages } = JSON.parse(await kit.text(build, 'course.json')) as {
      pages: { section: { name: string } | null }[];
    };
    expect(pages.map(({ section: one }) => one?.name ?? null)).to.deep.equal(['Beta', 'Alpha', 'Beta', null]);
    const shell = await kit.text(build, 'index.html');
    const places = ['Beta', 'One', 'Three', 'Alpha', 'Two', 'Four'].map((name) => shell.indexOf(`>${name}<`));
    expect(places).to.deep.equal([...places].sort((one, other) => one - other));
  });

  it('is harmless whatever titles, slugs and addresses are', async () => {
    const title = `</script><b>"&<>'\u0001 ../`;
    const page = await kit.page(
      title.replaceAll('\u0001', ''),
      '<img src="/files/../../etc/passwd"><img src="/files/%2e%2e/x">',
      {
        slug: '../../evil',
      },
    );
    const build = await kit.course([page], {
      course_name: title.replaceAll('\u0001', ''),
      api_type: 'scorm12',
      course_id: `"><x>`,
    });
    const zip = await kit.zip(build);
    for (const name of zip.keys())
      expect(name)
        .to.match(/^[A-Za-z0-9._/-]+$/)
        .and.not.include('..');
    expect(zip.get('index.html')?.toString()).to.not.include('</script><b>');
    expect(JSON.parse(zip.get('course.json')?.toString() ?? '').course_name).to.equal(
      title.replaceAll('\u0001', ''),
    );
    expect(zip.get('imsmanifest.xml')?.toString()).to.not.include('<b>');
  });

  it('leads to the live page where the page depends on its reader', async () => {
    const page = await kit.page('Me', '<p>Hello [user field="displayName"]</p>');
    const build = await kit.course([page]);
    const { body } = await kit.admin.get(`svc/host/v1/posts/${page}`).expect(200);
    expect(await pageOf(build))
      .to.include(`href="${body.permalink}"`)
      .and.not.include('svc-dsh');
    expect(steps(build)).to.include('dynamic_shortcode: [user field="displayName"]');
  });

  it('is found under its address alone: nothing beside it, nothing of other sites, nothing that was deleted', async () => {
    const build = await kit.course(await kit.pages(1));
    const site = await kit.lyceum.make.site();
    for (const path of ['nothing.html', 'pages/', '../', 'pages/../index.html/x']) {
      expect((await kit.fetch(`${build.files_url}${path}`)).status, path).to.equal(404);
    }
    const there = build.files_url.replace('/files/', `${site.path}files/`);
    expect((await kit.fetch(there)).status).to.equal(404);
    const guessed = build.files_url.replace(/-[0-9a-f]{32}/, `-${'0'.repeat(32)}`);
    expect((await kit.fetch(`${guessed}index.html`)).status).to.equal(404);
    const part = await kit.fetch(`${build.files_url}index.html`, { Range: 'bytes=0-14' });
    expect([part.status, (part.body as Buffer).toString()]).to.deep.equal([206, '<!doctype html>']);
    await kit.admin.delete(`svclms/static-builder/v1/builds/${build.id}`).expect(200);
    expect((await kit.fetch(build.view_url ?? '')).status).to.equal(404);
    const end = Date.now() + 10_000;
    while ((await kit.stored()).some((key) => key.includes(`/${build.id}-`)))
      expect(Date.now()).to.be.lessThan(end);
  });
});
