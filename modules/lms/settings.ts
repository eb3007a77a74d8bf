import { type SettingDeclaration, yup } from '@lyceum/core';
import { apiTypes } from './course.ts';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  default_api_type: {
    title: 'Interface of courses that name none',
    schema: yup.string().oneOf(apiTypes).required(),
    default: 'local',
    scope: 'site',
  },
  require_course_id: {
    title: 'A published course must have a course_id',
    schema: yup.boolean().required(),
    default: false,
    scope: 'site',
  },
};
