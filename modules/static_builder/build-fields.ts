import { type Call, fail, invalidParams, judged, maxId, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import { type BuildConfig, exportModes } from './build.ts';
import { Builds } from './builds.ts';
import { apiTypes } from './course.ts';

/** Codes of the fields of a build. */
export const fieldErrors = [
  'svclms_static_builder_pages_required',
  'svclms_static_builder_invalid_page_ids',
  'svclms_static_builder_invalid_api_type',
  'svclms_static_builder_invalid_export_mode',
  'svclms_static_builder_invalid_version',
  'svclms_static_builder_page_not_found',
  'svclms_static_builder_course_not_found',
] as const;

const words = (of: readonly string[]) => ({ type: 'string', enum: ['', ...of] });

/** What authors say of a build; some of it is judged here, by codes of its own. */
export const buildFields = (isNew: boolean) => ({
  page_ids: judged(
    { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, uniqueItems: true },
    { required: isNew },
  ),
  course_name: yup.string().max(200),
  api_type: judged(words(apiTypes), { required: false }),
  export_mode: judged(words(exportModes), { required: false }),
  version: judged({ type: 'integer', minimum: 1, maximum: 9999 }, { required: false }),
  course_id: yup.string().max(500),
  course_comment: yup.string().max(5000),
  build_course_id: yup.number().integer().min(0).max(maxId),
  favourite: yup.boolean(),
});

/** A body with these fields, as it came. */
export interface GivenFields {
  readonly page_ids?: unknown;
  readonly course_name?: string | undefined;
  readonly api_type?: unknown;
  readonly export_mode?: unknown;
  readonly version?: unknown;
  readonly course_id?: string | undefined;
  readonly course_comment?: string | undefined;
  readonly build_course_id?: number | undefined;
  readonly favourite?: boolean | undefined;
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxId;

/** @throws `svclms_static_builder_pages_required`, `svclms_static_builder_invalid_page_ids` */
export function readPageIds(given: unknown, most: number): readonly number[] {
  const isEmpty = given === undefined || given === null || (Array.isArray(given) && given.length === 0);
  if (isEmpty) return fail('svclms_static_builder_pages_required');
  if (!Array.isArray(given) || given.length > most || !given.every(isWholeNumber)) {
    return fail('svclms_static_builder_invalid_page_ids');
  }
  const ids = given as readonly number[];
  if (ids.some((id) => id < 1) || new Set(ids).size !== ids.length) {
    return fail('svclms_static_builder_invalid_page_ids');
  }
  return ids;
}

const isWholeNumber = (value: unknown): boolean => Number.isSafeInteger(value);

function readWord<W extends string>(given: unknown, known: readonly W[], standard: W): W | null {
  if (given === undefined || given === '') return standard;
  return known.find((one) => one === given) ?? null;
}

/**
 * What of the configuration is given, checked.
 * @param standard what stands for an empty word
 * @throws `svclms_static_builder_invalid_api_type`, `svclms_static_builder_invalid_export_mode`,
 *   `svclms_static_builder_invalid_version`
 */
export function readConfig(given: GivenFields, before: BuildConfig): BuildConfig {
  const { api_type, export_mode, version } = given;
  const api = api_type === undefined ? before.api_type : readWord(api_type, apiTypes, 'local');
  if (api === null) return fail('svclms_static_builder_invalid_api_type');
  const mode = export_mode === undefined ? before.export_mode : readWord(export_mode, exportModes, 'package');
  if (mode === null) return fail('svclms_static_builder_invalid_export_mode');
  const number = version === undefined ? before.version : version;
  if (!Number.isInteger(number) || Number(number) < 1 || Number(number) > 9999) {
    return fail('svclms_static_builder_invalid_version');
  }
  return {
    course_name: given.course_name ?? before.course_name,
    api_type: api,
    course_id: given.course_id ?? before.course_id,
    version: Number(number),
    course_comment: given.course_comment ?? before.course_comment,
    export_mode: mode,
  };
}

/** Titles of the pages, by id. @throws `svclms_static_builder_page_not_found` with the ids that are none */
export async function checkPages(
  trx: Knex.Transaction,
  call: Call,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { pages } = call.get(Builds).parts;
  const found = await pages.among(trx, call.site.blog_id, ids.filter(isId));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) fail('svclms_static_builder_page_not_found', { data: { page_ids: missing } });
  return found;
}

/** @throws `svclms_static_builder_course_not_found`, also while courses are switched off */
export async function checkCourse(sql: Knex, call: Call, id: number): Promise<void> {
  const { courses } = call.get(Builds).parts;
  const isThere = call.state.isOn('lms') && (await courses.isCourse(sql, call.site.blog_id, id));
  if (!isThere) fail('svclms_static_builder_course_not_found');
}

/** A favourite is one of a course. @throws `rest_invalid_param` */
export function checkFavourite(favourite: boolean | undefined, courseId: number): void {
  if (favourite === true && courseId === 0) invalidParams({ favourite: 'needs build_course_id' });
}
