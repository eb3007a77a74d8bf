import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wav } from '@lyceum/core/testing';
import type { Browser, Frame, Page } from 'playwright-core';
import type { Course } from '../course.ts';
import { cuesOf } from '../player/page-tracks.ts';
import { type Bodies, courseFolder, lesson } from './course-folder.ts';
import { course, page as coursePage } from './courses.ts';

const section = { id: 1, name: 'Before help comes' };
export const pages = [
  coursePage(11, 1, 'Welcome'),
  coursePage(12, 2, 'Look and call', section),
  coursePage(13, 3, 'Securing the place', section),
  coursePage(14, 4, 'Summary'),
];

/** As a server of this host serves a build: the course has no origin of its own. */
export const opaque = {
  'Content-Security-Policy':
    'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation',
  'Access-Control-Allow-Origin': '*',
};

const film = {
  html: '<video data-tracks="v1" src="../media/tone.wav" controls muted></video><audio data-tracks="none"></audio>',
  cues: cuesOf([
    {
      ...({ media: 'v1', kind: 'captions', language: 'en', label: 'English', isDefault: true } as const),
      cues: [
        { start: 0, end: 60_000, settings: 'line:10%,start position:30% align:start', text: 'A <i>tone</i>' },
      ],
    },
    {
      ...({ media: 'v1', kind: 'chapters', language: 'en', label: 'Parts', isDefault: false } as const),
      cues: [{ start: 0, end: 1000, settings: '', text: 'One' }],
    },
  ]),
};

export const bodies: Bodies = {
  11: {
    html: '<p><a id="inside" href="003-securing-the-place.html#end">On</a> <a id="file" href="../media/tone.wav">Sound</a> <a id="outside" href="https://elsewhere.example/">Out</a> <a id="top" target="_top" href="https://elsewhere.example/">Top</a></p><table><tr><th>Sign</th><td>Meaning</td></tr></table>',
    cues: '',
  },
  12: { html: '<script>throw new Error("a page of its author");</script><p>Look.</p>', cues: '' },
  13: { html: `${lesson}<h2 id="end">End</h2>`, cues: '' },
  14: film,
};

export const open = async (browser: Browser, options: Parameters<Browser['newPage']>[0]): Promise<Page> => {
  const window = await browser.newPage(options);
  window.setDefaultTimeout(15_000);
  return window;
};
/** Attached is enough: on narrow windows the menu is out of sight. */
export const current = (window: Page, title: string): Promise<void> =>
  window.locator('#menu [aria-current="page"]', { hasText: title }).waitFor({ state: 'attached' });
export const inner = (window: Page): Frame => {
  const frame = window.frame({ name: 'page' });
  if (!frame) throw new Error('There is no frame.');
  return frame;
};

const folders: string[] = [];

/** The course as somebody unpacks it. */
export async function unpacked(changes: Partial<Course>): Promise<string> {
  const folder = await courseFolder(course('local', { pages, ...changes }), bodies);
  folders.push(folder);
  const media = path.join(folder, 'media');
  await mkdir(media);
  await writeFile(path.join(media, 'tone.wav'), wav(5));
  return folder;
}

/** Removes what `unpacked` made. */
export const removeUnpacked = (): Promise<unknown> =>
  Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
