import { randomUUID } from 'node:crypto';
import { openBrowser } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { courseFiles, lesson } from './course-folder.ts';
import { type CourseServer, send, serveCourse } from './course-server.ts';
import { course } from './courses.ts';
import { cmi5Address, sessionId } from './launches.ts';
import { type KeptStatement, RecordStoreServer } from './record-store.ts';

const actor = { objectType: 'Agent', account: { homePage: 'https://lms.example/', name: 'u1' } };
const unit = 'https://academy.example/courses/build-7/au/1';
const categories = 'https://w3id.org/xapi/cmi5/context/categories';

describe('a course launched by cmi5', function () {
  this.timeout(60_000);
  let browser: Browser;
  let store: RecordStoreServer;
  let server: CourseServer;

  before(async () => {
    browser = await openBrowser();
    const sound = { html: `${lesson}<audio controls></audio>`, cues: '' };
    server = await serveCourse(courseFiles(course('cmi5'), { 11: sound }), {}, (_request, response, url) =>
      url.pathname === '/left.html'
        ? send(response, 'text/html', '<!doctype html><title>Left</title>')
        : false,
    );
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

  const prepare = (registration: string, data: Record<string, unknown>): string =>
    cmi5Address(server, store, { actor, registration, unit, data });

  const open = async (address: string): Promise<Page> => {
    const window = await browser.newPage();
    await window.goto(address);
    await window.locator('#menu [aria-current="page"]').waitFor();
    return window;
  };

  const seeAll = async (window: Page): Promise<void> => {
    for (const title of ['Look and call', 'Recovery position']) {
      await window.locator('#next').click();
      await window.locator('#menu [aria-current="page"]', { hasText: title }).waitFor();
    }
  };

  const ended = (count: number): Promise<void> =>
    store.until(() => store.verbs().filter((verb) => verb === 'terminated').length === count);

  const categoriesOf = (statement: KeptStatement | undefined): (string | undefined)[] =>
    (statement?.context.contextActivities?.category ?? []).map(({ id }) => id);

  it('is initialised, completed and terminated in this order, by the rules of cmi5', async () => {
    const registration = randomUUID();
    const window = await open(prepare(registration, {}));
    await seeAll(window);
    await store.until(() => store.verbs().includes('completed'));
    await window.goto('about:blank');
    await ended(1);
    await window.close();
    expect(store.verbs()).to.deep.equal(['initialized', 'completed', 'terminated']);
    expect(store.refused).to.deep.equal([]);
    // The key first, then what the system says of the launch and of the learner, then the first statement.
    const begin = store.asked.filter((asked) => !asked.includes('course-player'));
    expect(begin.slice(0, 4)).to.deep.equal([
      'POST fetch',
      'GET activities/state LMS.LaunchData',
      'GET agents/profile',
      'POST statements',
    ]);
    const [initialized, completed, terminated] = store.statements;
    for (const statement of store.statements) {
      expect(statement.actor).to.deep.equal(actor);
      expect(statement.object.id).to.equal(unit);
      expect(statement.context.registration).to.equal(registration);
      expect(statement.context.extensions).to.have.property(sessionId);
      expect(statement.context.contextActivities?.grouping?.[0]?.id).to.equal('https://lms.example/au/9');
    }
    expect(initialized?.result).to.equal(undefined);
    expect(categoriesOf(initialized)).to.deep.equal([`${categories}/cmi5`]);
    expect(categoriesOf(completed)).to.deep.equal([`${categories}/cmi5`, `${categories}/moveon`]);
    expect(completed?.result?.completion).to.equal(true);
    expect(completed?.result?.duration).to.match(/^PT/);
    expect(categoriesOf(terminated)).to.deep.equal([`${categories}/cmi5`]);
    expect(terminated?.result?.duration).to.match(/^PT/);
  });

  it('is completed once in a registration, and opens where the learner left it', async () => {
    const registration = randomUUID();
    const first = await open(prepare(registration, {}));
    await seeAll(first);
    await store.until(() => store.verbs().includes('completed'));
    await first.goto('about:blank');
    await ended(1);
    await first.close();
    const second = await open(prepare(registration, {}));
    await second.locator('#menu [aria-current="page"]', { hasText: 'Recovery position' }).waitFor();
    await second.locator('#menu a').first().click();
    await second.locator('#menu [aria-current="page"]', { hasText: 'Welcome' }).waitFor();
    await second.goto('about:blank');
    await ended(2);
    await second.close();
    expect(store.verbs().slice(3)).to.deep.equal(['initialized', 'terminated']);
  });

  it('is never completed in the modes Browse and Review', async () => {
    for (const launchMode of ['Browse', 'Review']) {
      const window = await open(prepare(randomUUID(), { launchMode }));
      await seeAll(window);
      await window.goto('about:blank');
      await store.until(() => store.verbs().at(-1) === 'terminated');
      await window.close();
      expect(store.verbs().splice(0)).to.deep.equal(['initialized', 'terminated']);
      store.statements.splice(0);
    }
    expect([...store.documents.keys()].filter((key) => key.includes('course-player'))).to.deep.equal([]);
  });

  it('leads back to the system, and then says no more', async () => {
    const window = await open(prepare(randomUUID(), { returnURL: `${server.origin}/left.html` }));
    await window.getByRole('button', { name: 'Leave the course' }).click();
    await window.waitForURL('**/left.html');
    await ended(1);
    expect(store.verbs()).to.deep.equal(['initialized', 'terminated']);
    await window.close();
  });

  it('is silent for a learner who wants no sound', async () => {
    const profile = new URLSearchParams({
      agent: JSON.stringify(actor),
      profileId: 'cmi5LearnerPreferences',
    });
    store.documents.set(`agents/profile?${profile}`, '{"languagePreference":"en","audioPreference":"off"}');
    const window = await open(prepare(randomUUID(), {}));
    const sound = window.frameLocator('#frame').locator('audio');
    await sound.waitFor();
    await window.frames()[1]?.waitForFunction('document.querySelector("audio").muted');
    await window.close();
  });

  it('asks for its key once, and is not recorded when it is opened again by the same address', async () => {
    const address = prepare(randomUUID(), {});
    const window = await open(address);
    await window.reload();
    await window.getByText('your progress is not recorded').waitFor({ state: 'attached' });
    await ended(1);
    await window.goto('about:blank');
    await window.close();
    expect(store.verbs()).to.deep.equal(['initialized', 'terminated']);
    expect(store.asked.filter((asked) => asked === 'POST fetch')).to.have.length(2);
    expect(store.refused).to.deep.equal([]);
  });
});
