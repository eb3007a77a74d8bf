import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContext } from 'playwright-core';
import { hashPassword } from '../../core/auth/users.ts';
import { type Client, startTestHost, type TestHost, type TestSite, type TestUser } from '../kit/index.ts';
import { openBrowser } from './browser.ts';

const posts = 'svc/host/v1/posts';
const hex = (digit: string): string => digit.repeat(64);
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const password = 'a password of a test';

const node = (id: string, name: string, type: string) => ({
  ...{ id: hex(id), name },
  slots: [{ id: hex('0'), type, kind: 'static', reference: 'value', label: name }],
});
const definition = {
  name: 'Feedback',
  clusters: [{ id: hex('1'), nodes: [node('a', 'Your name', 'string'), node('b', 'Marks', 'number')] }],
};

// As text, because these names are the browser's and not this program's.
const watchEvents = `window.seen = [];
  for (const name of ['visitor', 'actor', 'expanded', 'submitted', 'failed'])
    document.addEventListener('svc-turbo:' + name, ({ detail }) => seen.push([name, detail]));`;

describe('a static page in a browser', function () {
  this.timeout(60_000);
  let lyceum: TestHost;
  let browser: Browser;
  let site: TestSite;
  let ann: TestUser;
  let editor: Client;
  let context: BrowserContext;

  before(async () => {
    [lyceum, browser] = await Promise.all([
      startTestHost({ modules: ['turbo', 'svctutor_form'] }),
      openBrowser(),
    ]);
    site = await lyceum.make.site('academy');
    const { make } = lyceum;
    ann = await make.user({ role: 'subscriber', site: site.blog_id, login: 'ann' });
    await lyceum.host.db
      .knex('users')
      .where('id', ann.id)
      .update({
        display_name: 'Ann Lee',
        email: 'ann@example.com',
        password_hash: await hashPassword(password),
      });
    editor = lyceum.as(await make.user({ role: 'editor', site: site.blog_id }), site);
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  });
  afterEach(() => context.close());
  after(async () => {
    await browser.close();
    await lyceum.stop();
  });

  const create = async (body: object): Promise<number> =>
    (await editor.post(posts, { status: 'publish', ...body }).expect(201)).body.id;

  async function makePage(): Promise<{ readonly url: string; readonly form: number }> {
    const meta = { form_fingerprint: hex('d'), form_stencil: hex('e') };
    const form = await create({ type: 'form', title: 'F', content: JSON.stringify(definition), meta });
    const picture = await editor.post('svc/host/v1/media').attach('file', pixel, 'dot.png').expect(201);
    const content =
      `<h1 style="color: rgb(1, 2, 3)">Welcome, [user field="displayName"]</h1><img alt="dot" src="${picture.body.url}">` +
      `<script>window.ran = 1</script><b onclick="window.ran = 1">Press</b>[if_role role="editor"]For editors[/if_role][form id="${form}"]`;
    const id = await create({ type: 'page', title: 'Lesson', content });
    return { url: (await editor.get(`svclms/turbo/v1/static/${id}`).expect(200)).body.url, form };
  }

  /** Opens a page, and keeps what it asked for and what its console says. */
  async function open(url: string) {
    const page = await context.newPage();
    const trace: string[] = [];
    const complaints: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const short = pathname.replace(/\/[0-9a-f]{32}\//, '/…/').replace(/[0-9a-f]{32}\./, '….');
      trace.push(`${response.request().method()} ${short} ${response.status()}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    await page.addInitScript(watchEvents);
    await page.goto(url);
    const seen = async (): Promise<[string, Record<string, never>][]> =>
      (await page.evaluate('window.seen')) as [string, Record<string, never>][];
    return { page, trace, complaints, seen };
  }

  it('knows its visitor by the cookie, shows him his parts, and hands in his form', async () => {
    const { url, form } = await makePage();
    const api = new URL('api/', new URL('../../../', url)).href;
    const signedIn = await context.request.post(`${api}svc/host/v1/session`, {
      data: { login: 'ann', password },
    });
    expect(signedIn.status()).to.equal(200);
    const { page, trace, complaints, seen } = await open(url);
    await page.getByRole('heading', { name: 'Welcome, Ann Lee' }).waitFor();
    await page.getByLabel('Your name').waitFor();
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).to.deep.equal([]);
    await page.getByLabel('Your name').fill('Ann');
    await page.getByLabel('Marks').fill('4.5');
    await page.getByText('Press').click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your answers were received').waitFor();

    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(await page.getByText('For editors').count()).to.equal(0);
    expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).to.equal(
      'rgb(1, 2, 3)',
    );
    expect(await page.evaluate('document.querySelector("img").naturalWidth')).to.equal(1);
    const events = new Map(await seen());
    expect(events.get('actor')).to.deep.include({
      actor: { objectType: 'Agent', name: 'Ann Lee', mbox: 'mailto:ann@example.com' },
    });
    const [entry] = await lyceum.host.db.knex('form_entries').where('form_id', form);
    expect(entry).to.deep.include({ user_id: ann.id, blog_id: site.blog_id, index: 1, language: 'en' });
    expect(entry.fields.map((field: { value: unknown }) => field.value)).to.deep.equal(['Ann', 4.5]);
    expect(events.get('submitted')).to.deep.include({ entry_id: entry.entry_id, index: 1 });
    expect(complaints).to.deep.equal([]);
    if (process.env.TEST_TRACE)
      process.stdout.write(`${trace.join('\n')}\n${JSON.stringify(await seen(), null, 1)}\n`);
    expect(trace.filter((line) => line.includes('/api/'))).to.deep.equal([
      'GET /academy/api/svc/host/v1/session 200',
      'POST /academy/api/svclms/turbo/v1/xapi-actor/session 200',
      'POST /academy/api/svclms/turbo/v1/dsh/expand 200',
      'GET /academy/api/svctutor-forms/form/v1/getRunnerData 200',
      'POST /academy/api/svclms/turbo/v1/form-plugin/submit 201',
    ]);
  });

  it('stays as it is for whoever is not signed in', async () => {
    const { url } = await makePage();
    const { page, trace, seen } = await open(url);
    await page.waitForFunction('window.seen.length > 0');
    expect(await seen()).to.deep.equal([['visitor', { user: null }]]);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Welcome, ');
    expect(trace.filter((line) => line.includes('/api/'))).to.deep.equal([
      'GET /academy/api/svc/host/v1/session 401',
    ]);
  });
});
