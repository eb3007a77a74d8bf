import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse, parseFragment } from 'parse5';
import type { Course } from '../course.ts';
import { playerFiles } from '../player/index.ts';
import { pageDocument } from '../player/page-document.ts';
import { cuesOf } from '../player/page-tracks.ts';
import { course, page } from './courses.ts';

const fileOf = (given: Course, name: string): string =>
  String(playerFiles(given).find((file) => file.path === name)?.content);

interface Node {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
  readonly value?: string;
}

/** Every element of a document, as a browser reads it. */
function elements(text: string): readonly Node[] {
  const found: Node[] = [];
  const walk = (node: Node): void => {
    found.push(node);
    for (const child of node.childNodes ?? []) walk(child);
  };
  walk(parse(text) as unknown as Node);
  return found;
}

const attribute = (node: Node | undefined, name: string): string | undefined =>
  node?.attrs?.find((one) => one.name === name)?.value;

const textOf = (node: Node): string => node.value ?? (node.childNodes ?? []).map(textOf).join('');

const textsOf = (text: string, className: string): string[] =>
  elements(text)
    .filter((node) => attribute(node, 'class')?.split(' ').includes(className))
    .map(textOf);

const hostileName = '</script>"&<\u0001';
const shownName = '</script>"&<';

describe('the player of a course', () => {
  it('is the shell, a word about the course, scripts for its system alone, and the course as data', () => {
    const pathsOf = (given: Course): string[] => playerFiles(given).map((file) => file.path);
    const always = ['index.html', 'about.html', 'assets/course.css', 'assets/page.js', 'assets/progress.js'];
    const shell = ['assets/menu.js', 'assets/shell.js', 'course.json'];
    expect(pathsOf(course('local'))).to.deep.equal([...always, 'assets/local.js', ...shell]);
    expect(pathsOf(course('scorm12'))).to.deep.equal([
      ...always,
      ...['assets/find-api.js', 'assets/scorm.js', 'assets/scorm12.js'],
      ...shell,
    ]);
    expect(pathsOf(course('scorm2004'))).to.include('assets/scorm2004.js');
    expect(pathsOf(course('xapi')))
      .to.include('assets/xapi.js')
      .and.not.include('assets/cmi5.js');
    expect(pathsOf(course('cmi5'))).to.include('assets/cmi5.js');
    for (const file of pathsOf(course('cmi5'))) expect(file).to.match(/^[a-z0-9._/-]+$/);
  });

  it('loads plain scripts of its own and nothing else, by relative addresses', () => {
    for (const apiType of ['local', 'scorm12', 'scorm2004', 'xapi', 'cmi5'] as const) {
      const files = playerFiles(course(apiType));
      const paths = files.map((file) => file.path);
      for (const name of ['index.html', 'about.html']) {
        const nodes = elements(fileOf(course(apiType), name));
        const loaded = nodes.flatMap((node) => {
          const source =
            attribute(node, 'src') ?? (node.nodeName === 'link' ? attribute(node, 'href') : undefined);
          return source === undefined ? [] : [source];
        });
        expect(loaded).to.not.be.empty;
        for (const source of loaded) expect(paths).to.include(source);
        const scripts = nodes.filter((node) => node.nodeName === 'script');
        for (const script of scripts)
          expect(attribute(script, 'type')).to.be.oneOf([undefined, 'application/json']);
      }
      for (const { path: name, content } of files.filter((file) => file.path.endsWith('.css'))) {
        expect(String(content), name).to.not.match(/@import|url\(/);
      }
    }
  });

  it('writes down the course for programs', () => {
    const section = { id: 5, name: 'Basics' };
    const given = course('scorm12', {
      pages: [page(11, 1, 'One', section), page(13, 3, 'Three')],
      courseId: 'fa',
    });
    expect(JSON.parse(fileOf(given, 'course.json'))).to.deep.equal({
      course_name: 'First aid at work',
      course_id: 'fa',
      version: 4,
      api_type: 'scorm12',
      build_id: 7,
      revision: 2,
      built_at: '2026-11-21T10:00:00.000Z',
      language: 'en',
      pages: [
        { id: 11, title: 'One', slug: 'one', href: 'pages/001-one.html', section },
        { id: 13, title: 'Three', slug: 'three', href: 'pages/003-three.html', section: null },
      ],
    });
  });

  it('puts a section where its first page stands, with all its pages', () => {
    const [a, b] = [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
    ];
    const pages = [page(1, 1, 'b1', b), page(2, 2, 'a1', a), page(3, 3, 'b2', b), page(4, 4, 'alone')];
    const shell = fileOf(course('local', { pages }), 'index.html');
    expect(textsOf(shell, 'section-name')).to.deep.equal(['B', 'A']);
    expect(textsOf(shell, 'page-title')).to.deep.equal(['b1', 'b2', 'a1', 'alone']);
    const flat = fileOf(course('local', { pages, useSections: false }), 'index.html');
    expect(textsOf(flat, 'section-name')).to.deep.equal([]);
    expect(textsOf(flat, 'page-title')).to.deep.equal(['b1', 'a1', 'b2', 'alone']);
  });

  it('keeps names as their author typed them, whatever is in them', () => {
    const section = { id: 1, name: hostileName };
    const given = course('local', {
      courseName: hostileName,
      courseComment: hostileName,
      pages: [page(1, 1, hostileName, section)],
    });
    for (const name of ['index.html', 'about.html']) {
      const nodes = elements(fileOf(given, name));
      expect(nodes.filter((node) => node.nodeName === 'h1').map(textOf)).to.deep.equal([shownName]);
      expect(textsOf(fileOf(given, name), 'comment')).to.deep.equal([shownName]);
    }
    const shell = fileOf(given, 'index.html');
    expect(textsOf(shell, 'page-title')).to.deep.equal([shownName]);
    expect(textsOf(shell, 'section-name')).to.deep.equal([shownName]);
    const data = elements(shell).find((node) => attribute(node, 'id') === 'course');
    const { name, pages } = JSON.parse(textOf(data as Node)) as { name: string; pages: { title: string }[] };
    expect([name, pages[0]?.title]).to.deep.equal([shownName, shownName]);
    expect(JSON.parse(fileOf(given, 'course.json'))).to.include({ course_name: hostileName });
  });

  it('shows menu and pages alone where no header is wanted', () => {
    const plain = course('local', { withHeader: false });
    expect(playerFiles(plain).map((file) => file.path)).to.not.include('about.html');
    const shell = fileOf(plain, 'index.html');
    for (const id of ['about', 'progress', 'previous', 'next']) {
      expect(
        elements(shell).some((node) => attribute(node, 'id') === id),
        id,
      ).to.equal(false);
    }
    expect(textsOf(shell, 'page-title')).to.have.length(3);
    expect(fileOf(course('local'), 'index.html'))
      .to.include('Version 4')
      .and.include('id="next"');
  });

  it('speaks the language of the course, and says which language each text is in', () => {
    const tagsOf = (text: string): (string | undefined)[] =>
      elements(text).flatMap((node) =>
        ['html', 'body', 'h1'].includes(node.nodeName) ? [attribute(node, 'lang')] : [],
      );
    const russian = fileOf(course('local', { language: 'ru-RU' }), 'index.html');
    expect(russian).to.include('Содержание').and.include('О курсе').and.not.include('About');
    // The host has no German: the player's own words are English, and marked as such.
    const german = fileOf(course('local', { language: 'de' }), 'index.html');
    expect(german).to.include('Contents');
    expect(tagsOf(german)).to.deep.equal(['de', 'en', 'de']);
    expect(tagsOf(fileOf(course('local', { language: 'ar' }), 'index.html'))[0]).to.equal('ar');
    expect(fileOf(course('local', { language: 'ar' }), 'index.html')).to.include(
      '<html lang="ar" dir="rtl">',
    );
  });

  it('has scripts that the compiler finds nothing wrong with', async function () {
    this.timeout(60_000);
    const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
    const folder = path.resolve(import.meta.dirname, '../player/assets');
    const { stdout } = await promisify(execFile)(process.execPath, [
      path.join(path.dirname(compiler), 'bin/tsc'),
      ...['--project', folder, '--pretty', 'false'],
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).to.equal('');
  });
});

describe('the document of a page', () => {
  const body = (text: string): string => pageDocument({ title: 'Look & call', language: 'ru' }, text, '');

  it('is whole, in the language of the page, with its title as the first heading unless it brings one', () => {
    const nodes = elements(body('<p>One</p>'));
    expect(
      attribute(
        nodes.find(({ nodeName }) => nodeName === 'html'),
        'lang',
      ),
    ).to.equal('ru');
    const named = nodes.filter(({ nodeName }) => nodeName === 'title' || nodeName === 'h1');
    expect(named.map(textOf)).to.deep.equal(['Look & call', 'Look & call']);
    const own = elements(body('<h1 class="big">Own</h1>')).filter(({ nodeName }) => nodeName === 'h1');
    expect(own.map(textOf)).to.deep.equal(['Own']);
    expect(
      elements(pageDocument({ title: '', language: '' }, '', '')).some(({ nodeName }) => nodeName === 'h1'),
    ).to.equal(false);
  });

  it('leaves what stands on the page as it is, scripts too', () => {
    const html = '<p>One</p><script>let a = 1 && 2;</script><svg viewBox="0 0 1 1"></svg>';
    expect(body(html)).to.include(html);
    expect(parseFragment(html).childNodes).to.have.length(3);
  });

  it('stays light where its author chose colours', () => {
    const isLight = (html: string): boolean => body(html).includes('class="light"');
    for (const html of [
      '<p style="Color: red">a</p>',
      "<p class='a' style = 'margin:0; background:#fff'>a</p>",
      '<style>p { color: red }</style>',
      '<table bgcolor="white"></table>',
      '<link rel="stylesheet" href="../media/a.css">',
    ]) {
      expect(isLight(html), html).to.equal(true);
    }
    for (const html of ['<p style="margin: 0">color</p>', '<p title="color">style="x" background</p>', '']) {
      expect(isLight(html), html).to.equal(false);
    }
    const begin = performance.now();
    isLight(' style="'.repeat(100_000));
    isLight(` style${' '.repeat(100_000)}`);
    expect(performance.now() - begin).to.be.below(1000);
  });

  it('carries cues out of which no text leads', () => {
    const cue = { start: 0, end: 1500, settings: 'line:0', text: '</script><b>&amp; "ы"' };
    const tracks = cuesOf([
      { media: 'v1', kind: 'captions', language: 'en', label: 'English', isDefault: true, cues: [cue] },
    ]);
    const text = pageDocument({ title: 'Film', language: 'en' }, '<p>Film</p>', tracks);
    const found = elements(text).find((node) => attribute(node, 'id') === 'tracks');
    expect(JSON.parse(textOf(found as Node))[0].cues).to.deep.equal([cue]);
    expect(cuesOf([])).to.equal('');
    expect(body('')).to.not.include('id="tracks"');
  });
});
