import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { type Answerer, type CourseServer, send } from './course-server.ts';

export type Version = 'scorm12' | 'scorm2004';

/** What a learning system knows of a launch after its window was closed. */
export interface Closed {
  /** Calls of the course in order: `LMSSetValue(cmi.core.lesson_status,completed)=true`. */
  readonly calls: readonly string[];
  /** The data model, as the system keeps it for the next launch. */
  readonly cmi: Record<string, unknown>;
  /** Errors that the calls led to. */
  readonly errors: readonly string[];
}

/** The page of a system of SCORM around scorm-again, which both versions find in their parents. */
const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Learning system</title><script src="/runtime.js"></script></head>
<body style="margin:0"><script>
let api;
const calls = [];
const errors = [];
function launch(version, kept) {
  const is12 = version === 'scorm12';
  const Api = is12 ? Scorm12API : Scorm2004API;
  const engine = new Api({ autocommit: false, logLevel: 5 });
  if (kept) engine.loadFromJSON(kept);
  api = engine;
  const lastError = is12 ? 'LMSGetLastError' : 'GetLastError';
  const names = is12
    ? ['LMSInitialize', 'LMSFinish', 'LMSGetValue', 'LMSSetValue', 'LMSCommit', 'LMSGetLastError']
    : ['Initialize', 'Terminate', 'GetValue', 'SetValue', 'Commit', 'GetLastError'];
  const shown = {};
  for (const name of names) {
    shown[name] = (...values) => {
      const answer = engine[name](...values);
      calls.push(name + '(' + values.join() + ')=' + answer);
      const error = name === lastError ? '0' : engine[lastError]();
      // A value that was never set is no error of the course.
      if (error !== '0' && error !== 0 && error !== '403') errors.push(name + '(' + values.join() + ') ' + error);
      return answer;
    };
  }
  window[is12 ? 'API' : 'API_1484_11'] = shown;
  const frame = document.createElement('iframe');
  frame.id = 'content';
  frame.style.cssText = 'border:0;width:100vw;height:100vh';
  frame.src = '/course/index.html';
  document.body.append(frame);
}
function shut() {
  document.getElementById('content').remove();
  return { calls, cmi: api.renderCMIToJSONObject().cmi ?? api.renderCMIToJSONObject(), errors };
}
</script></body></html>`;

/** Serves a learning system's page and the runtime that it is made of. */
export async function learningSystem(): Promise<Answerer> {
  // Its plain script lies beside the module that the package leads to.
  const module = createRequire(import.meta.url).resolve('scorm-again');
  const dist = module.slice(0, module.lastIndexOf(`${path.sep}dist${path.sep}`) + '/dist/'.length);
  const runtime = await readFile(path.join(dist, 'scorm-again.min.js'));
  return (_request, response, url) => {
    if (url.pathname === '/between.html') {
      return send(response, 'text/html', `<!doctype html><iframe src="${url.search.slice(1)}"></iframe>`);
    }
    if (url.pathname === '/system.html') return send(response, 'text/html', page);
    if (url.pathname === '/runtime.js') return send(response, 'text/javascript', runtime);
    return false;
  };
}

/** A course in the window of a learning system. */
export interface Launched {
  readonly window: Page;
  readonly shell: FrameLocator;
  /** Waits until a page of the course is shown. */
  readonly shows: (title: string) => Promise<void>;
  readonly next: (title: string) => Promise<void>;
  readonly close: () => Promise<Closed>;
}

/** Opens a course as a learning system does, with what it kept of the last time. */
export async function launchCourse(
  browser: Browser,
  server: CourseServer,
  version: Version,
  kept: object | null,
): Promise<Launched> {
  const window = await browser.newPage();
  const broken: string[] = [];
  window.on('pageerror', (error) => broken.push(error.message));
  await window.goto(`${server.origin}/system.html`);
  await window.evaluate(`launch(${JSON.stringify(version)}, ${JSON.stringify(kept)})`);
  const shell = window.frameLocator('#content');
  const shows = (title: string): Promise<void> =>
    shell.locator('#menu [aria-current="page"]', { hasText: title }).waitFor();
  return {
    window,
    shell,
    shows,
    next: async (title) => {
      await shell.locator('#next').click();
      await shows(title);
    },
    close: async () => {
      const closed = (await window.evaluate('shut()')) as Closed;
      await window.close();
      expect({ broken, missing: server.missing }).to.deep.equal({ broken: [], missing: [] });
      return closed;
    },
  };
}

/** What an element of the data model was set to, in order. */
export const setsOf = (calls: readonly string[], name: string): string[] =>
  calls.flatMap((call) => {
    const [, element, value] = /^(?:LMS)?SetValue\(([^,]+),(.*)\)=true$/.exec(call) ?? [];
    return element === name ? [String(value)] : [];
  });
/** How often a function of the runtime was called. */
export const countOf = (calls: readonly string[], name: string): number =>
  calls.filter((call) => call.startsWith(`${name}(`)).length;
