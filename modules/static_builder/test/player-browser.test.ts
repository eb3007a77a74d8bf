import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openBrowser, wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser, Frame, Page } from 'playwright-core';
import type { Course } from '../course.ts';
import { cuesOf } from '../player/page-tracks.ts';
import { type Bodies, courseFiles, courseFolder, lesson } from './course-folder.ts';
import { serveCourse } from './course-server.ts';
import { course, page as coursePage } from './courses.ts';

const section = { id: 1, name: 'Before help comes' };
const pages = [
  coursePage(11, 1, 'Welcome'),
  coursePage(12, 2, 'Look and call', section),
  coursePage(13, 3, 'Securing the place', section),
  coursePage(14, 4, 'Summary'),
];

/** As a server of this host serves a build: the course has no origin of its own. */
const opaque = {
  'Content-Security-Policy':
    'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation',
  'Access-Control-Allow-Origin': '*',
};

const film = {
  html: '<video data-tracks="v1" src="../media/tone.wav" controls muted></video><audio data-tracks="none"></audio>',
  cues: cuesOf([
    {
      ...({ media: 'v1', kind: 'captions', language: 'en', label: 'English', isDefault: true } as const),
      cues: [
        { start: 0, end: 60_000, settings: 'line:10%,start position:30% align:start', text: 'A <i>tone</i>' },
      ],
    },
    {
      ...({ media: 'v1', kind: 'chapters', language: 'en', label: 'Parts', isDefault: false } as const),
      cues: [{ start: 0, end: 1000, settings: '', text: 'One' }],
    },
  ]),
};

const bodies: Bodies = {
  11: {
    html: '<p><a id="inside" href="003-securing-the-place.html#end">On</a> <a id="file" href="../media/tone.wav">Sound</a> <a id="outside" href="https://elsewhere.example/">Out</a> <a id="top" target="_top" href="https://elsewhere.example/">Top</a></p><table><tr><th>Sign</th><td>Meaning</td></tr></table>',
    cues: '',
  },
  12: { html: '<script>throw new Error("a page of its author");</script><p>Look.</p>', cues: '' },
  13: { html: `${lesson}<h2 id="end">End</h2>`, cues: '' },
  14: film,
};

const open = async (browser: Browser, options: Parameters<Browser['newPage']>[0]): Promise<Page> => {
  const window = await browser.newPage(options);
  window.setDefaultTimeout(15_000);
  return window;
};
/** Attached is enough: on narrow windows the menu is out of sight. */
const current = (window: Page, title: string): Promise<void> =>
  window.locator('#menu [aria-current="page"]', { hasText: title }).waitFor({ state: 'attached' });
const inner = (window: Page): Frame => {
  const frame = window.frame({ name: 'page' });
  if (!frame) throw new Error('There is no frame.');
  return frame;
};

describe('the player in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  const folders: string[] = [];

  before(async () => {
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });

  /** The course as somebody unpacks it. */
  const unpacked = async (changes: Partial<Course>): Promise<string> => {
    const folder = await courseFolder(course('local', { pages, ...changes }), bodies);
    folders.push(folder);
    const media = path.join(folder, 'media');
    await mkdir(media);
    await writeFile(path.join(media, 'tone.wav'), wav(5));
    return folder;
  };

  /** Menu, next and previous, a film with its cues: what has to work wherever the course is. */
  const walk = async (window: Page): Promise<void> => {
    await current(window, 'Welcome');
    expect(await window.title()).to.equal('Welcome – First aid at work');
    await window.locator('#next').click();
    // Its author's script is broken, and the page is shown all the same.
    await current(window, 'Look and call');
    await window.locator('#menu').getByRole('link', { name: 'Summary' }).click();
    await current(window, 'Summary');
    const frame = inner(window);
    await frame.locator('video').waitFor();
    await frame.evaluate(`document.querySelector('video').play()`);
    await frame.waitForFunction(`document.querySelector('video').currentTime > 0.1`);
    await frame.waitForFunction(`document.querySelector('video').textTracks[0].activeCues?.length === 1`);
    expect(
      await frame.evaluate(
        `[...document.querySelector('video').textTracks].map(({ kind, label, mode, cues }) => [kind, label, mode, cues.length, cues[0].line, cues[0].position])`,
      ),
    ).to.deep.equal([
      ['captions', 'English', 'showing', 1, 10, 30],
      ['chapters', 'Parts', 'hidden', 1, 'auto', 'auto'],
    ]);
    await window.locator('#previous').click();
    await current(window, 'Securing the place');
    await window.locator('#menu').getByRole('link', { name: 'Welcome' }).click();
    await current(window, 'Welcome');
    expect(await window.locator('#progress-text').textContent()).to.equal('4 of 4 seen');
  };

  it('works from a disk, and keeps what was seen', async () => {
    const folder = await unpacked({});
    const context = await browser.newContext();
    const window = await context.newPage();
    const asked: string[] = [];
    window.on('request', (request) => asked.push(request.url()));
    await window.goto(`file://${folder}/index.html`);
    await walk(window);
    await window.close();
    expect(asked.filter((url) => !url.startsWith(`file://${folder}/`))).to.deep.equal([]);
    const again = await context.newPage();
    await again.goto(`file://${folder}/index.html`);
    await current(again, 'Welcome');
    expect(await again.locator('#progress-text').textContent()).to.equal('4 of 4 seen');
    await context.close();
  });

  it('works without an origin of its own, as builds are served', async () => {
    const files = [
      ...courseFiles(course('local', { pages }), bodies),
      { path: 'media/tone.wav', content: wav(5) },
    ];
    const server = await serveCourse(files, opaque, () => false);
    const window = await open(browser, {});
    const errors: string[] = [];
    window.on('pageerror', ({ message }) => errors.push(message));
    await window.goto(`${server.origin}/course/index.html`);
    expect(await window.evaluate('origin')).to.equal('null');
    await walk(window);
    expect(errors).to.deep.equal(['a page of its author']);
    expect(server.missing).to.deep.equal([]);
    await window.close();
    await server.stop();
  });

  it('follows links between pages, and leads all others out of the frame but not over the course', async () => {
    const window = await open(browser, {});
    await window.context().route('https://**', (route) => route.fulfill({ body: 'Elsewhere' }));
    const folder = await unpacked({});
    await window.goto(`file://${folder}/index.html`);
    await current(window, 'Welcome');
    for (const id of ['outside', 'file', 'top']) {
      const opened = window.waitForEvent('popup');
      await inner(window).locator(`#${id}`).click();
      await (await opened).close();
      expect(window.url(), id).to.equal(`file://${folder}/index.html`);
    }
    await inner(window).locator('#inside').click();
    await current(window, 'Securing the place');
    expect(await window.locator('#progress-text').textContent()).to.equal('2 of 4 seen');
    await window.evaluate('history.back()');
    await current(window, 'Welcome');
    await window.close();
  });

  it('tells about the course and leads back to it', async () => {
    const window = await open(browser, {});
    await window.goto(`file://${await unpacked({})}/index.html`);
    await current(window, 'Welcome');
    await window.locator('#next').click();
    await current(window, 'Look and call');
    await window.getByRole('link', { name: 'About' }).click();
    await inner(window).getByRole('heading', { name: 'First aid at work' }).waitFor();
    await window.locator('#about[aria-current="page"]').waitFor();
    expect(await window.locator('#menu [aria-current]').count()).to.equal(0);
    await window.getByRole('link', { name: 'Back to the course' }).click();
    await current(window, 'Look and call');
    expect(await window.locator('#about[aria-current]').count()).to.equal(0);
    await window.close();
  });

  it('is used by keyboard: skip link, pages, focus and words for those who do not see it', async () => {
    const window = await open(browser, {});
    await window.goto(`file://${await unpacked({})}/index.html`);
    await current(window, 'Welcome');
    // The first page takes nobody's focus away.
    expect(await window.evaluate('document.activeElement.localName')).to.equal('body');
    await window.keyboard.press('Tab');
    await window.keyboard.press('Enter');
    expect(await window.evaluate('document.activeElement.id')).to.equal('frame');
    await window.locator('#next').focus();
    await window.keyboard.press('Enter');
    await current(window, 'Look and call');
    await inner(window).waitForFunction('document.activeElement.localName === "h1"');
    expect(await window.evaluate('document.activeElement.id')).to.equal('frame');
    expect(await window.locator('#status').textContent()).to.equal('Page 2 of 4: Look and call');
    expect(await window.locator('#frame').getAttribute('title')).to.equal('Look and call');
    for (const name of ['Securing the place', 'Summary']) {
      await window.locator('#menu').getByRole('link', { name }).focus();
      await window.keyboard.press('Enter');
      await current(window, name);
    }
    expect(await window.locator('#status').textContent()).to.match(/You have seen all pages\.$/);
    await window.getByRole('link', { name: 'Summary (seen)' }).waitFor();
    await window.close();
  });

  it('has a menu that opens and closes on narrow windows', async () => {
    const window = await open(browser, { viewport: { width: 320, height: 640 } });
    await window.goto(`file://${await unpacked({ language: 'ru' })}/index.html`);
    const menu = window.getByRole('navigation', { name: 'Содержание' });
    const button = window.getByRole('button', { name: 'Содержание' });
    await button.waitFor();
    expect(await menu.isVisible()).to.equal(false);
    await button.click();
    await menu.waitFor();
    await window.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    expect(await window.evaluate('document.activeElement.id')).to.equal('menu-button');
    await button.click();
    await menu.getByText('Before help comes').click();
    await menu.getByRole('link', { name: 'Look and call' }).waitFor({ state: 'hidden' });
    await menu.getByRole('link', { name: 'Summary' }).click();
    await menu.waitFor({ state: 'hidden' });
    await inner(window).getByRole('heading', { name: 'Summary' }).waitFor();
    await window.close();
  });

  it('shows menu and pages alone where no header is wanted, and its pages without a script', async () => {
    const folder = await unpacked({ withHeader: false });
    const window = await open(browser, {});
    await window.goto(`file://${folder}/index.html`);
    await current(window, 'Welcome');
    await window.locator('#menu').getByRole('link', { name: 'Summary' }).click();
    await current(window, 'Summary');
    expect(await window.locator('header').isVisible()).to.equal(false);
    await window.close();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`file://${folder}/index.html`);
    await plain.locator('#menu').getByRole('link', { name: 'Summary' }).click();
    await plain.frameLocator('#frame').getByRole('heading', { name: 'Summary' }).waitFor();
    await context.close();
  });

  it('has nothing that axe objects to, and needs no scrolling sideways, on all widths in light and dark', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const folder = await unpacked({
      courseName: 'First aid at work: a course with a rather long name for everybody',
    });
    const complaints: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 768, 1440]) {
        const window = await open(browser, { viewport: { width, height: 800 }, colorScheme });
        await window.goto(`file://${folder}/index.html`);
        await current(window, 'Welcome');
        const check = async (place: Page | Frame, name: string): Promise<void> => {
          await place.evaluate(axe);
          const found = (await place.evaluate(
            `axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target).join(' ')))`,
          )) as string[];
          complaints.push(...found.map((complaint) => `${name} ${width} ${colorScheme}: ${complaint}`));
          if (await place.evaluate('document.documentElement.scrollWidth > window.innerWidth')) {
            complaints.push(`${name} ${width}: is cut`);
          }
        };
        await check(window, 'shell');
        await check(inner(window), 'page');
        if (width < 960) {
          await window.locator('#menu-button').click();
          await window.locator('#menu').waitFor();
          await window.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
          await check(window, 'menu');
          await window.keyboard.press('Escape');
        }
        await window.locator('#about').click();
        await window.locator('#about[aria-current]').waitFor();
        await check(window, 'shell about');
        await check(inner(window), 'about');
        await window.close();
      }
    }
    expect(complaints).to.deep.equal([]);
  });

  it('moves nothing for those who want nothing moved', async () => {
    const window = await open(browser, { viewport: { width: 600, height: 600 }, reducedMotion: 'reduce' });
    await window.goto(`file://${await unpacked({})}/index.html`);
    await current(window, 'Welcome');
    await window.locator('#menu-button').click();
    expect(await window.evaluate('document.getAnimations().length')).to.equal(0);
    await window.close();
  });
});
