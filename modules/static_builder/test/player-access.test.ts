import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openBrowser } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser, Frame, Page } from 'playwright-core';
import { current, inner, open, removeUnpacked, unpacked } from './player-pages.ts';

describe('the player for everybody', function () {
  this.timeout(120_000);
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await removeUnpacked();
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
