import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Commands } from '@lyceum/core';
import { openBrowser } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { ApiType } from '../course.ts';
import { BuildKit } from './build-kit.ts';
import { type CourseServer, serveCourse } from './course-server.ts';
import { cmi5Address, xapiAddress } from './launches.ts';
import { launchCourse, learningSystem, setsOf } from './learning-system.ts';
import { RecordStoreServer } from './record-store.ts';

const run = promisify(execFile);
const titles = ['Welcome', 'Look and call', 'Recovery position'];

/** From the request that makes a build to the learner's last page: what the host publishes, played for real. */
describe('static_builder: packages in their runtimes', function () {
  this.timeout(120_000);
  let kit: BuildKit;
  let browser: Browser;
  let folder: string;
  let ids: number[];
  const servers: CourseServer[] = [];

  before(async () => {
    const modules = ['static_builder', 'lms', 'media_subtitles_timecodes'];
    [kit, browser] = await Promise.all([BuildKit.start({ modules }), openBrowser()]);
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-played-'));
    ids = [];
    for (const title of titles) ids.push(await kit.page(title));
  });
  after(async () => {
    await browser.close();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true });
    await kit.stop();
  });

  /** A package of three pages, downloaded and unpacked by a learning system. */
  const downloaded = async (apiType: ApiType): Promise<CourseServer> => {
    const build = await kit.course(ids, { course_name: 'First aid', course_id: 'aid', api_type: apiType });
    const files = [...(await kit.zip(build))].map(([name, content]) => ({ path: name, content }));
    const server = await serveCourse(files, {}, await learningSystem());
    servers.push(server);
    return server;
  };

  const current = (window: Page, title: string): Promise<void> =>
    window.locator('#menu [aria-current="page"]', { hasText: title }).waitFor();

  const seeAll = async (window: Page): Promise<void> => {
    await current(window, titles[0] ?? '');
    for (const title of titles.slice(1)) {
      await window.locator('#next').click();
      await current(window, title);
    }
  };

  it('SCORM 1.2: incomplete on the first page, completed after the last, opened again where it was left', async () => {
    const server = await downloaded('scorm12');
    const first = await launchCourse(browser, server, 'scorm12', null);
    await first.shows('Welcome');
    await first.next('Look and call');
    const left = await first.close();
    expect(setsOf(left.calls, 'cmi.core.lesson_status')).to.deep.equal(['incomplete']);
    const second = await launchCourse(browser, server, 'scorm12', left.cmi);
    await second.shows('Look and call');
    await second.next('Recovery position');
    const done = await second.close();
    expect(setsOf(done.calls, 'cmi.core.lesson_status')).to.deep.equal(['incomplete', 'completed']);
    expect([...left.errors, ...done.errors]).to.deep.equal([]);
  });

  it('SCORM 2004: a third, two thirds, all', async () => {
    const server = await downloaded('scorm2004');
    const launched = await launchCourse(browser, server, 'scorm2004', null);
    await launched.shows('Welcome');
    await launched.next('Look and call');
    await launched.next('Recovery position');
    const { calls, errors } = await launched.close();
    expect(setsOf(calls, 'cmi.progress_measure')).to.deep.equal(['0.33', '0.67', '1']);
    expect(errors).to.deep.equal([]);
  });

  it('xAPI and cmi5: what the record store is told', async () => {
    for (const apiType of ['xapi', 'cmi5'] as const) {
      const server = await downloaded(apiType);
      const store = new RecordStoreServer();
      await store.start();
      const actor = { objectType: 'Agent', mbox: 'mailto:ann@example.org' };
      const registration = randomUUID();
      const course = `${kit.lyceum.origin}/courses/aid`;
      const address =
        apiType === 'xapi'
          ? xapiAddress(server, store, { actor: JSON.stringify(actor), registration, activity_id: course })
          : cmi5Address(server, store, { actor, registration, unit: `${course}/au/1`, data: {} });
      const window = await browser.newPage();
      await window.goto(address);
      await seeAll(window);
      await store.until(() => store.verbs().includes('completed'));
      await window.goto('about:blank');
      await store.until(() => store.verbs().includes('terminated'));
      await window.close();
      const pages = apiType === 'xapi' ? ['experienced', 'experienced', 'experienced'] : [];
      expect(store.verbs()).to.deep.equal(['initialized', ...pages, 'completed', 'terminated']);
      expect({ refused: store.refused, missing: server.missing }).to.deep.equal({ refused: [], missing: [] });
      await store.stop();
    }
  });

  it('where the host serves it: without an origin, and without a complaint', async () => {
    const build = await kit.course(ids, { course_name: 'First aid', export_mode: 'live' });
    const window = await browser.newPage();
    const complaints: string[] = [];
    window.on('pageerror', ({ message }) => complaints.push(message));
    window.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    window.on('response', (response) => {
      if (response.status() >= 400 && !response.url().endsWith('favicon.ico'))
        complaints.push(response.url());
    });
    await window.goto(build.view_url ?? '');
    await seeAll(window);
    expect(await window.evaluate('origin')).to.equal('null');
    await window.frameLocator('#frame').getByRole('heading', { name: 'Recovery position' }).waitFor();
    expect(complaints).to.deep.equal([]);
    await window.close();
  });

  it('from a disk: menu, pages, a film and its cues', async function () {
    const ffmpeg = kit.lyceum.host.services.host(Commands).find('ffmpeg');
    if (ffmpeg === null) return this.skip();
    const mp4 = path.join(folder, 'film.mp4');
    await run(ffmpeg, [
      ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10:duration=6'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', mp4],
    ]);
    const upload = kit.admin.post('svc/host/v1/media').attach('file', await readFile(mp4), 'film.mp4');
    const { body: media } = await upload.expect(201);
    const tracks = `svc/media-subtitles-timecodes/v1/attachments/${media.id}/tracks`;
    const cues = [{ start: 0, end: 5, text: 'Help is <i>near</i> & quick' }];
    await kit.admin.post(tracks, { srclang: 'en', label: 'English', default: true, cues }).expect(201);
    const film = await kit.page('Film', `<p>Look:</p><video controls muted src="${media.url}"></video>`);
    const build = await kit.course([ids[0] ?? 0, film], { course_name: 'First aid' });
    const unpacked = path.join(folder, 'unpacked');
    for (const [name, content] of await kit.zip(build)) {
      const file = path.join(unpacked, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    const window = await browser.newPage();
    const asked: string[] = [];
    window.on('request', (request) => asked.push(request.url()));
    await window.goto(`file://${unpacked}/index.html`);
    await current(window, 'Welcome');
    await window.locator('#menu').getByRole('link', { name: 'Film' }).click();
    await current(window, 'Film');
    const frame = window.frame({ name: 'page' });
    await frame?.evaluate('document.querySelector("video").play()');
    await frame?.waitForFunction('document.querySelector("video").currentTime > 0.2');
    expect(await frame?.evaluate('document.querySelector("video").videoWidth')).to.equal(160);
    await frame?.waitForFunction(
      'document.querySelector("video").textTracks[0].activeCues?.[0]?.getCueAsHTML().textContent === "Help is near & quick"',
    );
    expect(asked.filter((url) => !url.startsWith(`file://${unpacked}/`))).to.deep.equal([]);
    await window.close();
  });
});
