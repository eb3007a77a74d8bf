import { createHash } from 'node:crypto';
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
  const known = work.before ? await work.parts.files.of(work.sql, work.before, [manifest?.path ?? '']) : null;
  // What was published was judged before.
  if (manifest && known?.get(manifest.path)?.sha256 !== sha256Of(manifest)) await check(course, manifest);
  const files = await storeAll(work, 'manifest', wanted);
  await work.step({
    ...{ phase: 'manifest', current: pages.length + 1, total: pages.length + 1 },
    write: (trx) => work.addFiles(trx, files),
  });
}

/** @throws `svclms_static_builder_invalid_manifest` */
async function check({ apiType }: Course, { content }: CourseFile): Promise<void> {
  const [problem] = await validateManifest(apiType, String(content));
  if (problem !== undefined) fail('svclms_static_builder_invalid_manifest', { message: problem });
}

const sha256Of = ({ content }: CourseFile): string => createHash('sha256').update(content).digest('hex');

/** Stores those that are not there yet; what the published revision has of the same bytes is taken from there. */
async function storeAll(work: Work, kind: FileKind, wanted: readonly CourseFile[]): Promise<BuildFile[]> {
  const { parts, sql, now, before } = work;
  const paths = wanted.map(({ path }) => path);
  const done = await parts.files.of(sql, now, paths);
  const earlier = before ? await parts.files.of(sql, before, paths) : null;
  const files: BuildFile[] = [];
  for (const file of wanted) {
    const { path, content } = file;
    if (done.has(path)) continue;
    work.job.signal.throwIfAborted();
    const same = earlier?.get(path);
    if (same?.file_key && same.sha256 === sha256Of(file)) {
      work.count(same.bytes);
      files.push(same);
      continue;
    }
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
