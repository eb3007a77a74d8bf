import type { Listener } from '@lyceum/core';
import { checkCourse } from './check-course.ts';
import { courseRestored, courseTrashed } from './follow-trash.ts';
import { forgetDeleted } from './forget-deleted.ts';

export const listeners: readonly Listener[] = [checkCourse, courseTrashed, courseRestored, forgetDeleted];
