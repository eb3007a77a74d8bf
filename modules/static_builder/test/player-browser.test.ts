import { openBrowser, wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { courseFiles } from './course-folder.ts';
import { serveCourse } from './course-server.ts';
import { course } from './courses.ts';
import { bodies, current, inner, opaque, open, pages, removeUnpacked, unpacked } from './player-pages.ts';

describe('the player in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await removeUnpacked();
  });

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
});
