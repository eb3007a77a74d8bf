import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Course, CourseFile } from '../course.ts';
import { interfaceFiles } from '../interfaces/index.ts';
import { playerFiles } from '../player/index.ts';
import { pageDocument } from '../player/page-document.ts';

/** What stands on a page of a test; by the page's id. */
export interface Bodies {
  readonly [id: number]: { readonly html: string; readonly cues: string };
}

const paragraph =
  'Stay calm, look around before you act, and make sure that nobody else comes to harm. Help is quick when it is called early.';

/** A text like that of a lesson, long enough to scroll. */
export const lesson = `<p>${paragraph}</p><h2>What to look for</h2><ul><li>Traffic, fire, electricity</li><li>The person's breathing</li></ul><p>${paragraph}</p><p>${paragraph}</p>`;

/** Every file of a course, as a package has them. */
export function courseFiles(course: Course, bodies: Bodies): readonly CourseFile[] {
  const pages = course.pages.map((page) => {
    const { html, cues } = bodies[page.id] ?? { html: lesson, cues: '' };
    return { path: page.href, content: pageDocument(page, html, cues) };
  });
  const files = [...playerFiles(course), ...pages];
  return [
    ...interfaceFiles(
      course,
      files.map((file) => file.path),
    ),
    ...files,
  ];
}

/** Writes a course into a new folder, which the test removes. */
export async function courseFolder(course: Course, bodies: Bodies): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-course-'));
  for (const file of courseFiles(course, bodies)) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
  }
  return folder;
}
