import { openBrowser } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { courseFiles } from './course-folder.ts';
import { type CourseServer, serveCourse } from './course-server.ts';
import { course, page as coursePage } from './courses.ts';
import {
  countOf,
  type Launched,
  launchCourse,
  learningSystem,
  setsOf,
  type Version,
} from './learning-system.ts';

describe('a course in a runtime of SCORM', function () {
  this.timeout(120_000);
  let browser: Browser;
  const servers: CourseServer[] = [];

  before(async () => {
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const serve = async (version: Version, changes: Parameters<typeof course>[1]): Promise<CourseServer> => {
    const server = await serveCourse(courseFiles(course(version, changes), {}), {}, await learningSystem());
    servers.push(server);
    return server;
  };

  const launch = (server: CourseServer, version: Version, kept: object | null): Promise<Launched> =>
    launchCourse(browser, server, version, kept);

  it('1.2: is incomplete until its last page was seen, says so once, and ends once', async () => {
    const server = await serve('scorm12', {});
    const first = await launch(server, 'scorm12', null);
    await first.shows('Welcome');
    await first.next('Look and call');
    const left = await first.close();
    expect(left.errors).to.deep.equal([]);
    expect(setsOf(left.calls, 'cmi.core.lesson_status')).to.deep.equal(['incomplete']);
    expect(setsOf(left.calls, 'cmi.core.lesson_location')).to.deep.equal(['11', '12']);
    expect(setsOf(left.calls, 'cmi.core.exit')).to.deep.equal(['suspend']);
    expect(countOf(left.calls, 'LMSFinish')).to.equal(1);
    expect(left.calls.at(-1)).to.equal('LMSFinish()=true');
    expect(countOf(left.calls, 'LMSInitialize')).to.equal(1);
    // One for the beginning and one for each page.
    expect(countOf(left.calls, 'LMSCommit')).to.equal(3);
    expect(setsOf(left.calls, 'cmi.core.session_time').at(-1)).to.match(/^\d{4}:\d\d:\d\d\.\d\d$/);

    const again = await launch(server, 'scorm12', left.cmi);
    await again.shows('Look and call');
    expect(await again.shell.locator('.menu a.seen').count()).to.equal(2);
    await again.next('Recovery position');
    await again.shell.locator('.menu a').first().click();
    await again.shows('Welcome');
    const done = await again.close();
    expect(done.errors).to.deep.equal([]);
    expect(setsOf(done.calls, 'cmi.core.lesson_status')).to.deep.equal(['incomplete', 'completed']);
    expect(setsOf(done.calls, 'cmi.core.exit')).to.deep.equal(['suspend', '']);

    const afterwards = await launch(server, 'scorm12', done.cmi);
    await afterwards.shows('Welcome');
    const read = await afterwards.close();
    expect(setsOf(read.calls, 'cmi.core.lesson_status')).to.deep.equal([]);
    expect((read.cmi.core as { lesson_status: string }).lesson_status).to.equal('completed');
  });

  it('2004: tells how much was seen, and nothing about success', async () => {
    const server = await serve('scorm2004', {});
    const first = await launch(server, 'scorm2004', null);
    await first.shows('Welcome');
    await first.next('Look and call');
    const left = await first.close();
    expect(left.errors).to.deep.equal([]);
    expect(setsOf(left.calls, 'cmi.completion_status')).to.deep.equal(['incomplete']);
    expect(setsOf(left.calls, 'cmi.progress_measure')).to.deep.equal(['0.33', '0.67']);
    expect(setsOf(left.calls, 'cmi.exit')).to.deep.equal(['suspend']);
    expect(setsOf(left.calls, 'cmi.session_time').at(-1)).to.match(/^PT\d+\.\d\dS$/);
    expect(left.calls.at(-1)).to.equal('Terminate()=true');

    const again = await launch(server, 'scorm2004', left.cmi);
    await again.shows('Look and call');
    await again.next('Recovery position');
    const done = await again.close();
    expect(done.errors).to.deep.equal([]);
    expect(setsOf(done.calls, 'cmi.progress_measure')).to.deep.equal(['0.67', '1']);
    expect(setsOf(done.calls, 'cmi.completion_status')).to.deep.equal(['incomplete', 'completed']);
    expect(setsOf(done.calls, 'cmi.location')).to.deep.equal(['12', '13']);
    expect(countOf(done.calls, 'Terminate')).to.equal(1);
    expect(done.calls.filter((call) => call.includes('success_status'))).to.deep.equal([]);
  });

  it('keeps 2,000 pages in less than SCORM 1.2 takes', async () => {
    const pages = Array.from({ length: 2000 }, (_none, at) =>
      coursePage(1000 + at * 7, at + 1, `Page ${at + 1}`),
    );
    const server = await serve('scorm12', { pages });
    const first = await launch(server, 'scorm12', null);
    await first.shows('Page 1');
    await first.shell.locator('#menu a', { hasText: /^Page 2000$/ }).click();
    await first.shows('Page 2000');
    const left = await first.close();
    const [data = ''] = setsOf(left.calls, 'cmi.suspend_data').slice(-1);
    expect(data.length).to.be.within(300, 4096);
    const again = await launch(server, 'scorm12', left.cmi);
    await again.shows('Page 2000');
    expect(await again.shell.locator('#progress-text').textContent()).to.equal('2 of 2000 seen');
    await again.close();
  });

  it('goes on where it was when its pages were moved, and begins anew when there are others', async () => {
    const server = await serve('scorm12', {});
    const first = await launch(server, 'scorm12', null);
    await first.shows('Welcome');
    await first.next('Look and call');
    const left = await first.close();
    const pages = course('scorm12').pages;
    const moved = await serve('scorm12', { pages: pages.toReversed() });
    const again = await launch(moved, 'scorm12', left.cmi);
    await again.shows('Look and call');
    expect(await again.shell.locator('#progress-text').textContent()).to.equal('2 of 3 seen');
    await again.close();
    const other = await serve('scorm12', { pages: [coursePage(90, 1, 'New'), coursePage(91, 2, 'Newer')] });
    const anew = await launch(other, 'scorm12', left.cmi);
    await anew.shows('New');
    expect(await anew.shell.locator('#progress-text').textContent()).to.equal('1 of 2 seen');
    await anew.close();
  });

  it('works with a runtime that fails at everything, and with none', async () => {
    for (const version of ['scorm12', 'scorm2004'] as const) {
      const server = await serve(version, {});
      const window = await browser.newPage();
      const broken: string[] = [];
      window.on('pageerror', (error) => broken.push(error.message));
      for (const answer of ['"false"', 'null', 'undefined', '(() => { throw new Error("no") })()']) {
        await window.goto(`${server.origin}/system.html`);
        await window.evaluate(`{
          const refuse = () => ${answer};
          const names = ['LMSInitialize','LMSGetValue','LMSSetValue','LMSCommit','LMSFinish','LMSGetLastError'];
          const all = [...names, ...names.map((name) => name.slice(3)), 'Terminate'];
          window.API = window.API_1484_11 = Object.fromEntries(all.map((name) => [name, refuse]));
          document.body.innerHTML = '<iframe id="content" src="/course/index.html" style="width:100vw;height:100vh"></iframe>';
        }`);
        const shell = window.frameLocator('#content');
        await shell.locator('#next').click();
        await shell.locator('#menu [aria-current="page"]', { hasText: 'Look and call' }).waitFor();
        await shell.getByText('your progress is not recorded').waitFor({ state: 'attached' });
      }
      await window.goto(`${server.origin}/course/index.html`);
      await window.locator('#menu [aria-current="page"]', { hasText: 'Welcome' }).waitFor();
      await window.close();
      expect(broken).to.deep.equal([]);
    }
  });

  it('is found in the window that opened the course', async () => {
    const server = await serve('scorm12', {});
    const window = await browser.newPage();
    await window.goto(`${server.origin}/system.html`);
    const opened = window.waitForEvent('popup');
    await window.evaluate(`launch('scorm12', null); document.getElementById('content').remove();
      window.open('/course/index.html')`);
    const popup = await opened;
    await popup.locator('#menu [aria-current="page"]', { hasText: 'Welcome' }).waitFor();
    await popup.close({ runBeforeUnload: true });
    await window.waitForFunction('calls.some((call) => call.startsWith("LMSFinish"))');
    expect(await window.evaluate('calls[0]')).to.equal('LMSInitialize()=true');
    await window.close();
  });

  it('is found behind a window of another origin', async () => {
    const server = await serve('scorm12', {});
    const window = await browser.newPage();
    await window.goto(`${server.origin}/system.html`);
    // The same machine by another name is another origin.
    const between = server.origin.replace('127.0.0.1', 'localhost');
    await window.evaluate(`launch('scorm12', null); document.getElementById('content').remove();
      const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(`${between}/between.html?${server.origin}/course/index.html`)};
      document.body.append(frame)`);
    await window.waitForFunction(
      'calls.some((call) => call.startsWith("LMSSetValue(cmi.core.lesson_location,11)"))',
    );
    expect(await window.evaluate('calls[0]')).to.equal('LMSInitialize()=true');
    await window.close();
  });
});
