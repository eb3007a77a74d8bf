import { expect } from 'chai';
import type { Browser, BrowserContext } from 'playwright-core';
import { startTestHost, type TestHost, type TestSite, type TestUser } from '../kit/index.ts';
import { openBrowser } from './browser.ts';

const desktop = { width: 1280, height: 900 };
const phone = { width: 320, height: 640 };

// As text, because these names are the browser's and not this program's.
const isCut = 'document.documentElement.scrollWidth > window.innerWidth';

describe('the page of a sign-in link in a browser', function () {
  this.timeout(60_000);
  let lyceum: TestHost;
  let browser: Browser;
  let site: TestSite;
  let ann: TestUser;
  let context: BrowserContext | null = null;

  before(async () => {
    [lyceum, browser] = await Promise.all([startTestHost(), openBrowser()]);
    site = await lyceum.make.site('academy');
    ann = await lyceum.make.user({ role: 'subscriber', site: site.blog_id });
  });
  afterEach(async () => {
    await context?.close();
    context = null;
  });
  after(async () => {
    await browser.close();
    await lyceum.stop();
  });

  const link = async (more: object = {}): Promise<string> => {
    const admin = lyceum.as(await lyceum.make.admin(), site);
    const body = { user_id: ann.id, delivery: 'url', ...more };
    return (await admin.post('svc/magic-links/v1/links', body).expect(201)).body.url;
  };
  const statusOf = async (url: string): Promise<string> => {
    const { rows } = await lyceum.host.db.knex.raw(
      `select status from magic_links where token_hash = sha256(convert_to(?, 'utf8'))`,
      [url.split('#token=')[1] ?? ''],
    );
    return rows[0]?.status;
  };
  /** A page that reaches this host alone; what its console and its policy complain about. */
  const open = async (options: object = {}) => {
    context = await browser.newContext({ viewport: desktop, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.route('**/*', (route) => {
      if (new URL(route.request().url()).hostname === 'localhost') return route.continue();
      complaints.push(route.request().url());
      return route.abort();
    });
    return { page, complaints };
  };
  const whoIs = (origin: string): string =>
    `fetch('${origin}api/svc/host/v1/session').then((answer) => answer.json()).then(({ user }) => user.id)`;

  it('uses nothing up until the button is pressed, then leads on, signed in', async () => {
    const url = await link({ redirect: 'docs' });
    const scanner = await open();
    for (let look = 0; look < 3; look += 1) await scanner.page.goto(url.replace('#', `?look=${look}#`));
    expect(await statusOf(url)).to.equal('live');
    await context?.close();
    const { page, complaints } = await open();
    await page.goto(url);
    expect(await page.getByRole('textbox').count()).to.equal(0);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((address) => address.pathname === '/academy/docs');
    expect(await page.evaluate(whoIs(url.split('magic-link')[0] ?? ''))).to.equal(ann.id);
    expect(await statusOf(url)).to.equal('consumed');
    // The token is in no entry of the history.
    expect(await page.goBack()).to.equal(null);
    expect(page.url()).not.to.include('#token=');
    expect(complaints).to.deep.equal([]);
  });

  it('says so when the link was used, and can be read by a screen reader', async () => {
    const url = await link();
    const first = await open();
    await first.page.goto(url);
    await first.page.getByRole('button').click();
    await first.page.waitForURL((address) => address.pathname === '/academy/');
    const { page } = first;
    await page.goto(url);
    await page.getByRole('button').click();
    await page.getByRole('alert').getByText('does not work any more').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isEnabled()).to.equal(true);
    expect(await page.title()).to.equal('Sign in: academy');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Sign in');
  });

  it('works without scripts: says so, and takes the pasted link', async () => {
    const url = await link({ redirect: 'docs' });
    const { page, complaints } = await open({ javaScriptEnabled: false });
    await page.goto(url);
    // Searches for text leave this element out.
    await page.locator('main noscript').waitFor();
    expect(await page.locator('main noscript').innerText()).to.include('JavaScript is off');
    await page.getByLabel('Link from the mail').fill('https://nonsense.example/');
    await page.getByRole('button').click();
    await page.getByText('does not work any more').waitFor();
    expect(await statusOf(url)).to.equal('live');
    await page.getByLabel('Link from the mail').fill(` ${url} `);
    await page.getByRole('button').click();
    await page.waitForURL((address) => address.pathname === '/academy/docs');
    expect(await statusOf(url)).to.equal('consumed');
    const cookies = await context?.cookies();
    expect(cookies?.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).to.deep.equal([
      ['svc_session', true, 'Lax'],
    ]);
    // A refused form is told by its status, and that is all that the console has to say.
    expect(complaints.filter((text) => !text.includes('status of 403'))).to.deep.equal([]);
  });

  it('asks for the link where its address has none', async () => {
    const url = await link();
    const { page } = await open();
    await page.goto(url.split('#')[0] ?? '');
    await page.getByText('is not complete').waitFor();
    await page.getByLabel('Link from the mail').fill(url);
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => address.pathname === '/academy/');
    expect(await statusOf(url)).to.equal('consumed');
  });

  it('is whole on a phone, light and dark, in the language that the browser wants', async () => {
    const url = await link();
    for (const [locale, heading, colorScheme, background] of [
      ['en-GB', 'Sign in', 'light', 'rgb(246, 247, 249)'],
      ['ru-RU', 'Вход', 'dark', 'rgb(18, 22, 28)'],
    ] as const) {
      const { page, complaints } = await open({ viewport: phone, locale, colorScheme });
      await page.goto(url);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(heading);
      expect(await page.evaluate(isCut)).to.equal(false);
      // The policy let the page's own style in.
      const colour = 'getComputedStyle(document.body).backgroundColor';
      expect(await page.evaluate(colour)).to.equal(background);
      expect(complaints).to.deep.equal([]);
      await context?.close();
    }
  });
});
