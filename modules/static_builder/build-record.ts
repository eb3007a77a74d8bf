import { Addresses, type Call, Database, FileLinks, time, word, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import { areaFolder, type Build, exportModes, folderOf, isTerminal, statuses } from './build.ts';
import { Builds } from './builds.ts';
import { apiTypes } from './course.ts';

const integer = () => yup.number().integer().required();
const flag = () => yup.boolean().required();

/** A build as clients see it. */
export const BuildRecord = yup.object({
  id: integer(),
  status: word(...statuses).required(),
  terminal: flag(),
  config: yup
    .object({
      course_name: yup.string().defined(),
      api_type: word(...apiTypes).required(),
      course_id: yup.string().defined(),
      build_course_id: integer(),
      version: integer(),
      course_comment: yup.string().defined(),
      export_mode: word(...exportModes).required(),
    })
    .required(),
  page_ids: yup.array().of(integer()).required(),
  main_page_id: integer(),
  use_sections_in_menu: flag(),
  disable_auto_addition_data: flag(),
  not_include_media_files_build: flag(),
  save_external_files: flag(),
  revision: integer(),
  favourite: flag(),
  progress: yup.object({ percent: integer(), current: integer(), total: integer() }).required(),
  logs: yup
    .array()
    .of(
      yup
        .object({
          timestamp: integer(),
          level: word('info', 'warning', 'error').required(),
          step: yup.string().defined(),
        })
        .required(),
    )
    .required(),
  view_url: yup.string().nullable().defined(),
  zip_url: yup.string().nullable().defined(),
  files_url: yup.string().required(),
  edit_url: yup.string().required(),
  blog_id: integer(),
  author_id: integer(),
  created_at: time().required(),
  modified_at: time().required(),
});

/** Builds as clients see them: a fixed number of queries, and no look at a file. */
export async function presentBuilds(call: Call, builds: readonly Build[], sql?: Knex) {
  const knex = sql ?? call.get(Database).knex;
  const { logs, courses, pages } = call.get(Builds).parts;
  const ids = builds.map(({ id }) => id);
  const entries = await logs.of(knex, ids);
  const favourites = await courses.favourites(knex, builds);
  const sectioned = await pages.withSections(knex, builds);
  return builds.map((build) => ({
    ...present(call, build),
    use_sections_in_menu: call.setting<boolean>('use_sections') && sectioned.has(build.id),
    favourite: favourites.has(build.id),
    logs: entries.get(build.id) ?? [],
  }));
}

/** The same of one. */
export async function presentBuild(call: Call, build: Build, sql?: Knex) {
  const [shown] = await presentBuilds(call, [build], sql);
  if (!shown) throw new Error('A build was not presented.');
  return shown;
}

function present(call: Call, build: Build) {
  const { id, blog_id, status, revision, published_revision, config, page_ids } = build;
  const isLive = exportModeOf(config.export_mode) === 'live';
  const filesUrl = call.get(FileLinks).plain(call.site, `${areaFolder}/${folderOf(build)}/`);
  const isShown = status === 'completed' && published_revision !== null;
  const setting = (name: string) => call.setting<boolean | null>(name);
  return {
    ...{ id, status, terminal: isTerminal(status) },
    config: {
      ...{ course_name: config.course_name, api_type: config.api_type, course_id: config.course_id },
      ...{ build_course_id: build.build_course_id, version: config.version },
      ...{ course_comment: config.course_comment, export_mode: exportModeOf(config.export_mode) },
    },
    ...{ page_ids: [...page_ids], main_page_id: page_ids[0] ?? 0 },
    disable_auto_addition_data: setting('disable_auto_addition_data') === true,
    not_include_media_files_build: !isLive && setting('not_include_media_files_build') === true,
    save_external_files: !isLive && setting('save_external_files') !== false,
    revision,
    progress: { percent: build.percent, current: build.current, total: build.total },
    view_url: isShown ? `${filesUrl}index.html` : null,
    zip_url: isShown && build.published_zip !== null ? `${filesUrl}${build.published_zip}` : null,
    files_url: filesUrl,
    edit_url: `${call.get(Addresses).admin(call.site)}static-builder/builds/${id}`,
    ...{ blog_id, author_id: build.author_id, created_at: build.created_at, modified_at: build.modified_at },
  };
}

/** A word that is stored and means nothing reads as `package`. */
export const exportModeOf = (stored: string): (typeof exportModes)[number] =>
  stored === 'live' ? 'live' : 'package';
