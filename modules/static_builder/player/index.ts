import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Course, CourseFile } from '../course.ts';
import { aboutDocument } from './about-document.ts';
import { courseRecord } from './course-record.ts';
import { runtimeScripts, shellDocument } from './shell-document.ts';

const folder = path.join(import.meta.dirname, 'assets');

/** Files of the player that are the same in every course of this type; some 40 kB in all. */
const assetsOf = ({ apiType }: Course): readonly CourseFile[] =>
  ['course.css', 'page.js', 'progress.js', ...runtimeScripts[apiType], 'menu.js', 'shell.js'].map((name) => ({
    path: `assets/${name}`,
    content: readFileSync(path.join(folder, name)),
  }));

/** Everything of a course beside its pages, its media and what the receiving system wants. */
export function playerFiles(course: Course): readonly CourseFile[] {
  return [
    { path: 'index.html', content: shellDocument(course) },
    ...(course.withHeader ? [{ path: 'about.html', content: aboutDocument(course) }] : []),
    ...assetsOf(course),
    { path: 'course.json', content: courseRecord(course) },
  ];
}
