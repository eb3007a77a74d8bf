import type { ErrorTable } from '@lyceum/core';

export const errors = {
  course_id_exists: { status: 409, message: 'Another course of the site has this course_id.' },
} as const satisfies ErrorTable;

/** Courses are written by the host's routes. */
export const errorsElsewhere: Readonly<Record<string, readonly string[]>> = {
  'host.create-post': ['course_id_exists'],
  'host.change-post': ['course_id_exists'],
};
