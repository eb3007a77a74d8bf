import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { openBrowser, type Watched, watchedPage } from './browser.ts';

const { resolve } = createRequire(import.meta.url);
const script = async (name: string): Promise<string> =>
  `<script>${await readFile(resolve(name), 'utf8')}</script>`;

const table = '/api/svctutor/rag/v1/datatables';

/** What the page remembers of an answer; as text, because these names are the browser's. */
const remember = `window.answers = [];
  DataTable.ext.errMode = (settings, note, message) => window.answers.push({ error: message });
  window.table = new DataTable('#table', {
    serverSide: true,
    searchDelay: 0,
    order: [[1, 'asc']],
    ajax: { url: '${table}', headers: window.nonce, ...window.way },
    columns: [
      { data: null, defaultContent: '', searchable: false, orderable: false },
      { data: 'id_chunk' },
      { data: 'post_title', render: DataTable.render.text() },
      { data: 'content', render: DataTable.render.text() },
      { data: 'word_count', searchable: false },
      { data: 'status_icon', orderable: false },
      { data: 'created_at_human', orderable: false },
    ],
  });
  window.table.on('draw', () => window.answers.push(window.table.ajax.json()));`;

const ways = {
  GET: `{ type: 'GET' }`,
  'a form': `{ type: 'POST' }`,
  JSON: `{ type: 'POST', contentType: 'application/json', data: (asked) => JSON.stringify(asked) }`,
} as const;

interface Drawn {
  readonly draw: number;
  readonly recordsTotal: number;
  readonly recordsFiltered: number;
  readonly rows: readonly string[];
}

describe('the table of chunks in a browser, by datatables.net', function () {
  this.timeout(90_000);
  let lyceum: TestHost;
  let browser: Browser;
  let page: string;

  before(async () => {
    [lyceum, browser] = await Promise.all([startTestHost({ modules: ['rag', 'lms'] }), openBrowser()]);
    await lyceum.make.settings('rag', { rag_export_enabled: true });
    await lyceum.host.db.knex.raw(
      `insert into rag_chunks (blog_id, id_post, position, content, content_hash, embed_hash, metadata, lang,
          token_count, word_count, fts)
        select 1, n, 0, 'Chunk ' || n || ' <img src=x onerror=window.broken=1>', md5(n::text), '',
          jsonb_build_object('title', 'Page ' || n), 'en', 2, (n * 7) % 57, ''
        from generate_series(1, 57) as n`,
    );
    const columns = '<th></th>'.repeat(7);
    const scripts = await Promise.all([script('jquery'), script('datatables.net')]);
    page = `<!doctype html><table id="table"><thead><tr>${columns}</tr></thead></table>${scripts.join('')}`;
  });
  after(async () => {
    await browser.close();
    await lyceum.stop();
  });

  async function open(way: string): Promise<Watched> {
    const { signed } = await lyceum.make.session(1);
    const watched = await watchedPage(browser, lyceum.origin, { width: 1280, height: 900 });
    const [name = '', value = ''] = (signed.headers.Cookie ?? '').split('=');
    await watched.page.context().addCookies([{ name, value, url: lyceum.origin }]);
    const nonce = JSON.stringify({ 'X-Svc-Nonce': signed.headers['X-Svc-Nonce'] });
    const body = `${page}<script>window.nonce = ${nonce}; window.way = ${way}; ${remember}</script>`;
    await watched.page.route(`${lyceum.origin}/table`, (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    );
    await watched.page.goto(`${lyceum.origin}/table`);
    return watched;
  }

  /** The newest answer, once there are so many and it is drawn. */
  async function drawn(at: Page, answers: number): Promise<Drawn> {
    await at.waitForFunction(`window.answers.length >= ${answers}`);
    const last = (await at.evaluate('window.answers.at(-1)')) as Omit<Drawn, 'rows'>;
    await at.waitForFunction(`document.querySelectorAll('#table tbody tr').length > 0`);
    const rows = (await at.evaluate(
      `[...document.querySelectorAll('#table tbody tr')].map((row) => row.id + ': ' + row.cells[3]?.textContent)`,
    )) as string[];
    return { ...last, rows };
  }

  for (const [name, way] of Object.entries(ways)) {
    it(`pages, searches and sorts by ${name}`, async () => {
      const { page: at, errors, failed, foreign } = await open(way);
      const first = await drawn(at, 1);
      expect(first).to.deep.include({ draw: 1, recordsTotal: 57, recordsFiltered: 57 });
      expect(first.rows[0]).to.equal('chunk_1: Chunk 1 <img src=x onerror=window.broken=1>');
      await at.click('.dt-paging-button.next');
      expect((await drawn(at, 2)).rows[0]).to.match(/^chunk_11: /);
      await at.fill('.dt-search input', 'chunk 5');
      await at.waitForFunction(`window.answers.at(-1).recordsFiltered === 9`);
      const found = await drawn(at, 3);
      expect(found.rows).to.have.lengthOf(9);
      const before = (await at.evaluate('window.answers.length')) as number;
      await at.click('#table thead th:nth-child(5)');
      const sorted = await drawn(at, before + 1);
      expect(sorted.recordsFiltered).to.equal(9);
      const counts = (await at.evaluate(
        `[...document.querySelectorAll('#table tbody tr')].map((row) => Number(row.cells[4].textContent))`,
      )) as number[];
      expect(counts).to.deep.equal([...counts].sort((a, b) => a - b));
      expect(await at.textContent('.dt-info')).to.include('filtered from 57');
      expect(await at.evaluate('window.broken')).to.equal(undefined);
      expect(await at.evaluate('window.answers.filter((answer) => !answer || answer.error)')).to.deep.equal(
        [],
      );
      expect([errors, failed, foreign]).to.deep.equal([[], [], []]);
      await at.close();
    });
  }
});
