import { id, type MetaDeclaration, yup } from '@lyceum/core';
import { apiTypes, courseType, exportModes } from './course.ts';

const mostPages = 2_000;

/** Longer texts are refused anyway, so nobody need look for their ends. */
const longestTrimmed = 2_000;

/** Without white space at either end; line breaks and other control characters stay, to be refused. */
function trimmed(given: unknown): unknown {
  if (typeof given !== 'string' || given.length > longestTrimmed) return given;
  return given.replace(/^[^\S\p{Cc}]+/u, '').replace(/[^\S\p{Cc}]+$/u, '');
}

const isDistinct = (ids: readonly unknown[] | undefined): boolean =>
  ids === undefined || new Set(ids).size === ids.length;

const onCourses = { on: 'post', of: [courseType] } as const;

export const meta: readonly MetaDeclaration[] = [
  {
    ...onCourses,
    key: 'course_id',
    schema: yup
      .string()
      .max(500)
      .matches(/^\P{Cc}*$/u, 'must not contain control characters'),
    normalize: trimmed,
    default: '',
    unique: { index: 'lms_course_id', code: 'course_id_exists' },
    searchable: true,
  },
  { ...onCourses, key: 'course_comment', schema: yup.string().max(5000), default: '' },
  {
    ...onCourses,
    key: 'api_type',
    schema: yup.string().oneOf(apiTypes),
    normalize: (given) => (given === '' ? 'local' : given),
    default: 'local',
    defaultSetting: 'default_api_type',
  },
  { ...onCourses, key: 'version', schema: yup.number().integer().min(1).max(9999), default: 1 },
  { ...onCourses, key: 'export_mode', schema: yup.string().oneOf(exportModes), default: 'package' },
  {
    ...onCourses,
    key: 'page_ids',
    schema: yup
      .array()
      .max(mostPages)
      .of(id().required())
      .test('distinct', 'must not name a page twice', isDistinct),
    default: [],
    refs: 'post',
  },
  { ...onCourses, key: 'favourite_build_id', schema: id(), copy: false, readOnly: true },
  {
    on: 'term',
    of: ['course_section'],
    key: 'course_id',
    schema: id(),
    refs: 'post',
    readOnly: true,
  },
];
