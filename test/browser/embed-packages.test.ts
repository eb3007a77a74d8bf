import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Browser, BrowserContext } from 'playwright-core';
import { ZipFile } from 'yazl';
import { type Client, startTestHost, type TestHost, type TestUser } from '../kit/index.ts';
import { openBrowser } from './browser.ts';

const space = 'svclms-pro/embed-packages/v1';
const packages = new URL('./packages', import.meta.url).pathname;

/**
 * What a script of a package tries, told to the page around it. As text, since it runs in the browser: each entry is
 * what came of one attempt, or the name of the error.
 */
const attack = (api: string): string => `
  const tried = {};
  const attempt = async (name, act) => {
    try { tried[name] = String(await act()); } catch (error) { tried[name] = 'refused: ' + error.name; }
  };
  (async () => {
    await attempt('origin', () => self.origin);
    await attempt('parent', () => parent.document.title);
    await attempt('opener', () => top.document.cookie);
    await attempt('frame', () => frameElement === null ? 'no frame element' : frameElement.id);
    await attempt('cookie', () => document.cookie);
    await attempt('set cookie', () => { document.cookie = 'svc_session=evil'; return document.cookie; });
    await attempt('local storage', () => localStorage.length);
    await attempt('session storage', () => sessionStorage.length);
    await attempt('indexed db', () => new Promise((done, fail) => {
      const asked = indexedDB.open('x');
      asked.onsuccess = () => done('open');
      asked.onerror = () => fail(asked.error);
    }));
    await attempt('caches', () => caches.open('x'));
    await attempt('worker', () => navigator.serviceWorker.register('worker.js'));
    await attempt('session', async () => {
      const answer = await fetch('${api}/svc/host/v1/session', { credentials: 'include' });
      return answer.status + ' ' + (await answer.text());
    });
    await attempt('write', async () => {
      const answer = await fetch('${api}/${space}/packages', {
        method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"title":"evil"}',
      });
      return answer.type;
    });
    await attempt('own file', async () => (await fetch('data.json')).json().then((data) => data.own));
    await attempt('own module', async () => (await import('./module.mjs')).default);
    await attempt('top', () => { top.location.href = '/files/elsewhere'; return 'asked'; });
    await attempt('replace', () => { top.location.replace('/files/elsewhere'); return 'asked'; });
    parent.postMessage(tried, '*');
  })();
`;

describe('a package in a browser', function () {
  this.timeout(60_000);
  let lyceum: TestHost;
  let browser: Browser;
  let user: TestUser;
  let admin: Client;
  let context: BrowserContext;
  let base: string;
  let url: string;

  before(async () => {
    [lyceum, browser] = await Promise.all([
      startTestHost({ modules: ['embed_packages', 'test_reader'], folders: [packages] }),
      openBrowser(),
    ]);
    user = await lyceum.make.admin();
    admin = lyceum.as(user);
    base = `http://localhost:${lyceum.host.port}`;
    const { signed } = await lyceum.make.session(user.id);
    const [name = '', value = ''] = (signed.headers.Cookie ?? '').split('=');
    context = await browser.newContext();
    await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Lax' }]);
    await context.addCookies([{ name: 'plain', value: 'secret', url: base, sameSite: 'Lax' }]);
    url = await bound(
      await archive({ 'index.html': `<title>Evil</title><script>${attack(`${base}/api`)}</script>` }),
    );
  });
  after(async () => {
    await browser.close();
    await lyceum.stop();
  });

  /** An archive whose files are stored as they are. */
  async function archive(files: Readonly<Record<string, string>>): Promise<Buffer> {
    const all = {
      'data.json': '{"own":"read"}',
      'module.mjs': 'export default "loaded"',
      'worker.js': 'onfetch = () => undefined',
      ...files,
    };
    const zip = new ZipFile();
    for (const [name, text] of Object.entries(all)) zip.addBuffer(Buffer.from(text), name);
    zip.end();
    return Buffer.concat((await Readable.from(zip.outputStream).toArray()) as Buffer[]);
  }

  /** Address of a package of this archive, which a new page shows. */
  async function bound(content: Buffer): Promise<string> {
    const { body } = await admin.post(`${space}/packages`).attach('file', content, 'evil.zip').expect(201);
    const page = { type: 'page', status: 'publish', title: 'Page', content: '<p id="own">Own</p>' };
    const { body: post } = await admin.post('svc/host/v1/posts', page).expect(201);
    await admin.put(`${space}/pages/${post.id}/package`, { package_id: body.id }).expect(200);
    return body.url;
  }

  const gets = `new Promise((done) => addEventListener('message', ({ data }) => done(data)))`;

  it('that a page shows gets at nothing of the page, of the reader, or of the platform', async () => {
    const page = await context.newPage();
    const asked: Promise<Record<string, string>>[] = [];
    page.on('request', (request) => {
      // The page asks for the frame itself, as a reader does; what is in it asks as nobody.
      if (![`${base}/newest`, url].includes(request.url())) asked.push(request.allHeaders());
    });
    await page.addInitScript(`self.told = ${gets}`);
    await page.goto(`${base}/newest`);
    const tried = (await page.evaluate('self.told')) as Record<string, string>;
    expect(tried).to.include({
      origin: 'null',
      parent: 'refused: SecurityError',
      opener: 'refused: SecurityError',
      cookie: 'refused: SecurityError',
      'set cookie': 'refused: SecurityError',
      'local storage': 'refused: SecurityError',
      'session storage': 'refused: SecurityError',
      session: 'refused: TypeError',
      write: 'opaque',
      'own file': 'read',
      'own module': 'loaded',
    });
    for (const name of ['indexed db', 'caches', 'worker', 'top', 'replace']) {
      expect(tried[name], name).to.match(/^refused: /);
    }
    expect(page.url()).to.equal(`${base}/newest`);
    expect(await page.textContent('#own')).to.equal('Own');
    const cookies = (await Promise.all(asked)).map((headers) => headers.cookie);
    expect(cookies).to.deep.equal([undefined, undefined, undefined, undefined]);
    const { body } = await admin.get(`${space}/packages?search=evil`).expect(200);
    expect(body.packages).to.have.length(1);
    await page.close();
  });

  it('that is opened by itself is in the same sandbox', async () => {
    const page = await context.newPage();
    await page.addInitScript(`self.told = ${gets}`);
    await page.goto(url);
    const tried = (await page.evaluate('self.told')) as Record<string, string>;
    expect(tried).to.include({
      origin: 'null',
      cookie: 'refused: SecurityError',
      'local storage': 'refused: SecurityError',
      session: 'refused: TypeError',
    });
    await page.close();
  });
});
