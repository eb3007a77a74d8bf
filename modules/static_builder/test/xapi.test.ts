import { randomUUID } from 'node:crypto';
import { openBrowser } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { courseFiles } from './course-folder.ts';
import { type CourseServer, serveCourse } from './course-server.ts';
import { course } from './courses.ts';
import { xapiAddress } from './launches.ts';
import { RecordStoreServer } from './record-store.ts';

const actor = { objectType: 'Agent', name: 'Ann', mbox: 'mailto:ann@example.org' };
const whole = 'https://academy.example/courses/build-7';

describe('a course launched by xAPI', function () {
  this.timeout(60_000);
  let browser: Browser;
  let store: RecordStoreServer;
  let server: CourseServer;

  before(async () => {
    browser = await openBrowser();
    server = await serveCourse(courseFiles(course('xapi'), {}), {}, () => false);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    store = new RecordStoreServer();
    await store.start();
  });
  afterEach(() => store.stop());

  const launch = async (registration: string, changes: Record<string, string>): Promise<Page> => {
    const address = xapiAddress(server, store, {
      actor: JSON.stringify(actor),
      registration,
      activity_id: whole,
      ...changes,
    });
    const window = await browser.newPage();
    window.on('pageerror', (error) => {
      throw error;
    });
    await window.goto(address);
    await window.locator('#menu [aria-current="page"]').waitFor();
    return window;
  };

  const next = async (window: Page, title: string): Promise<void> => {
    await window.locator('#next').click();
    await window.locator('#menu [aria-current="page"]', { hasText: title }).waitFor();
  };

  /** Leaves the course, and waits until the store knows. */
  const leave = async (window: Page): Promise<void> => {
    const before = store.verbs().filter((verb) => verb === 'terminated').length;
    await window.goto('about:blank');
    await store.until(() => store.verbs().filter((verb) => verb === 'terminated').length === before + 1);
    await window.close();
  };

  const kept = (): { bookmark: string; seen: string }[] =>
    [...store.documents].flatMap(([key, text]) => (key.includes('course-player') ? [JSON.parse(text)] : []));

  it('tells its pages and its end in order, and goes on where it was', async () => {
    const registration = randomUUID();
    const first = await launch(registration, {});
    await next(first, 'Look and call');
    await store.until(() => kept()[0]?.bookmark === '12');
    await leave(first);
    expect(store.verbs()).to.deep.equal(['initialized', 'experienced', 'experienced', 'terminated']);

    const second = await launch(registration, {});
    await second.locator('#menu [aria-current="page"]', { hasText: 'Look and call' }).waitFor();
    expect(await second.locator('#progress-text').textContent()).to.equal('2 of 3 seen');
    await next(second, 'Recovery position');
    await second.locator('#previous').click();
    await second.locator('#menu [aria-current="page"]', { hasText: 'Look and call' }).waitFor();
    await leave(second);
    const session = ['initialized', 'experienced', 'experienced', 'completed', 'terminated'];
    expect(store.verbs().slice(4)).to.deep.equal(session);

    const third = await launch(registration, {});
    await leave(third);
    expect(store.verbs().filter((verb) => verb === 'completed')).to.have.length(1);
    expect(store.refused).to.deep.equal([]);

    const [, page] = store.statements;
    expect(page?.object.id).to.equal(`${whole}/page/11`);
    expect(page?.context.contextActivities?.parent?.map(({ id }) => id)).to.deep.equal([whole]);
    for (const statement of store.statements) {
      expect(statement.actor).to.deep.equal(actor);
      expect(statement.context.registration).to.equal(registration);
    }
    const completed = store.statements.find(({ verb }) => verb.id.endsWith('/completed'));
    expect(completed?.object.id).to.equal(whole);
    expect(completed?.object.definition?.type).to.equal('http://adlnet.gov/expapi/activities/course');
    expect(completed?.result?.completion).to.equal(true);
  });

  it('keeps registrations apart', async () => {
    const first = await launch(randomUUID(), {});
    await next(first, 'Look and call');
    await leave(first);
    const other = await launch(randomUUID(), {});
    expect(await other.locator('#progress-text').textContent()).to.equal('1 of 3 seen');
    await leave(other);
    expect(kept()).to.have.length(2);
  });

  it('loses nothing while its store is broken, and tells it in the right order later', async () => {
    const window = await launch(randomUUID(), {});
    await store.until(() => store.verbs().length === 2);
    store.broken = 503;
    await next(window, 'Look and call');
    await next(window, 'Recovery position');
    await store.until(() => store.asked.filter((asked) => asked === 'POST statements').length > 2);
    expect(store.verbs()).to.have.length(2);
    store.broken = null;
    await store.until(() => store.verbs().includes('completed'));
    await leave(window);
    expect(store.verbs()).to.deep.equal([
      'initialized',
      ...['experienced', 'experienced', 'experienced'],
      ...['completed', 'terminated'],
    ]);
  });

  it('says that it is complete once, though its window closed before the store heard of it', async () => {
    const registration = randomUUID();
    const first = await launch(registration, {});
    await next(first, 'Look and call');
    await store.until(() => store.verbs().length === 3);
    store.broken = 503;
    await next(first, 'Recovery position');
    await store.until(() => JSON.stringify(kept()).includes('completed'));
    const asked = store.asked.length;
    await first.goto('about:blank');
    // The last words were said, and not heard.
    await store.until(() => store.asked.length > asked);
    await first.close();
    store.broken = null;
    const second = await launch(registration, {});
    await store.until(() => store.verbs().includes('completed'));
    await leave(second);
    const third = await launch(registration, {});
    await leave(third);
    expect(store.verbs().filter((verb) => verb === 'completed')).to.have.length(1);
  });

  it('reads the actors of older systems', async () => {
    const old = {
      objectType: 'Person',
      name: ['Ann'],
      account: [{ accountServiceHomePage: 'https://lms.example/', accountName: 'ann' }],
    };
    const window = await launch(randomUUID(), { actor: JSON.stringify(old) });
    await leave(window);
    expect(store.statements[0]?.actor).to.deep.equal({
      objectType: 'Agent',
      name: 'Ann',
      account: { homePage: 'https://lms.example/', name: 'ann' },
    });
    expect(store.refused).to.deep.equal([]);
  });

  it('is a course without a record where there is no store, or one that does not answer', async () => {
    const lone = await browser.newPage();
    const dead = new URLSearchParams({ endpoint: 'http://127.0.0.1:9/', actor: JSON.stringify(actor) });
    for (const query of [
      '',
      '?endpoint=javascript:alert(1)&actor={}',
      '?endpoint=https://x&actor={',
      `?${dead}`,
    ]) {
      await lone.goto(`${server.origin}/course/index.html${query}`);
      await lone.getByText('your progress is not recorded').waitFor({ state: 'attached' });
      await next(lone, 'Look and call');
    }
    await lone.close();
  });
});
