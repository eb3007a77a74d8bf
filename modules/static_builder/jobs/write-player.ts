import { fail, mimeOfExtension } from '@lyceum/core';
import type { Course, CourseFile } from '../course.ts';
import type { BuildFile, FileKind } from '../file-store.ts';
import { interfaceFiles } from '../interfaces/index.ts';
import { validateManifest } from '../interfaces/validate.ts';
import { playerFiles } from '../player/index.ts';
import { coursePage, type RevisionPage } from '../revision-store.ts';
import type { Work } from './work.ts';

/** The course as its player and its manifests see it. */
export function courseOf({ build, place, settings }: Work, pages: readonly RevisionPage[]): Course {
  const { config } = build;
  const times = pages.map(({ modified_at }) => Date.parse(modified_at));
  return {
    ...{ blogId: build.blog_id, buildId: build.id, revision: build.revision },
    // Not the clock: what went in says it all, and the same goes in makes the same come out.
    builtAt: new Date(Math.max(Date.parse(build.configured_at), ...times)),
    siteUrl: place.site.url,
    ...{ courseName: config.course_name, courseId: config.course_id, courseComment: config.course_comment },
    ...{ version: config.version, apiType: config.api_type, language: pages[0]?.language ?? 'en' },
    ...{ withHeader: settings.withHeader, useSections: settings.useSections },
    pages: pages.map(coursePage),
  };
}

/** Writes the player around the pages, and what the receiving system wants. */
export async function writePlayer(work: Work, pages: readonly RevisionPage[]): Promise<void> {
  const course = courseOf(work, pages);
  const player = await storeAll(work, 'player', playerFiles(course));
  await work.step({
    ...{ phase: 'manifest', current: pages.length, total: pages.length + 1 },
    write: (trx) => work.addFiles(trx, player),
  });
  const paths = await work.parts.files.paths(work.sql, work.now);
  const wanted = interfaceFiles(course, paths);
  const [manifest] = wanted;
  const problems = manifest ? await validateManifest(course.apiType, String(manifest.content)) : [];
  const [first] = problems;
  if (first !== undefined) fail('svclms_static_builder_invalid_manifest', { message: first });
  const files = await storeAll(work, 'manifest', wanted);
  await work.step({
    ...{ phase: 'manifest', current: pages.length + 1, total: pages.length + 1 },
    write: (trx) => work.addFiles(trx, files),
  });
}

async function storeAll(work: Work, kind: FileKind, wanted: readonly CourseFile[]): Promise<BuildFile[]> {
  const done = await work.parts.files.of(
    work.sql,
    work.now,
    wanted.map(({ path }) => path),
  );
  const files: BuildFile[] = [];
  for (const { path, content } of wanted) {
    if (done.has(path)) continue;
    work.job.signal.throwIfAborted();
    const mime_type = typeOf(path);
    const { key, bytes, sha256 } = await work.storeWhole(content, mime_type);
    files.push({ path, kind, page_id: null, source: null, file_key: key, bytes, sha256, mime_type });
  }
  return files;
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  xml: 'application/xml',
  xsd: 'application/xml',
};

function typeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return types[extension] ?? mimeOfExtension(extension);
}
