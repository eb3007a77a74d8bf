import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { openBrowser, watchedPage } from './browser.ts';

const desktop = { width: 1280, height: 900 };
const phone = { width: 320, height: 640 };

// As text, because these names are the browser's and not this program's.

/** Whether something is wider than the window, so that one has to scroll sideways to read. */
const isCut = 'document.documentElement.scrollWidth > window.innerWidth';
const colours = '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]';

describe('pages in a browser', function () {
  this.timeout(60_000);
  let lyceum: TestHost;
  let browser: Browser;

  before(async () => {
    [lyceum, browser] = await Promise.all([startTestHost(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await lyceum.stop();
  });

  it('the API page shows the operations of this site, and asks nobody else for anything', async () => {
    const site = await lyceum.make.site('academy');
    const { page, foreign, errors, failed } = await watchedPage(browser, lyceum.origin, desktop);
    await page.goto(`${lyceum.origin}${site.path}docs`);
    await page.getByRole('heading', { name: 'academy' }).first().waitFor();
    const { paths } = (await lyceum.as({ headers: {} }, site).get('openapi.json').expect(200)).body as {
      paths: Record<string, Record<string, { summary: string }>>;
    };
    const [first] = Object.values(paths).flatMap((operations) => Object.values(operations));
    await page
      .getByRole('heading', { name: first?.summary ?? '' })
      .first()
      .waitFor();
    await page.getByText('X-Svc-TotalPages').first().waitFor();
    expect({ foreign, errors, failed }).to.deep.equal({ foreign: [], errors: [], failed: [] });
    await page.close();
  });

  it('the root page leads to the API page, on a phone as on a desktop', async () => {
    for (const size of [phone, desktop]) {
      const { page, foreign, errors, failed } = await watchedPage(browser, lyceum.origin, size);
      await page.goto(`${lyceum.origin}/`);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Lyceum');
      expect(await page.evaluate(isCut), `cut at ${size.width}`).to.equal(false);
      // The policy let the page's own style in.
      expect(await page.evaluate(colours)).to.deep.equal(['rgb(28, 36, 48)', 'rgb(246, 247, 249)']);
      await page.getByRole('link', { name: 'API reference' }).click();
      await page.waitForURL(`${lyceum.origin}/docs`);
      expect({ foreign, errors, failed }).to.deep.equal({ foreign: [], errors: [], failed: [] });
      await page.close();
    }
  });
});
