import type { Operation } from '@lyceum/core';
import { changeBuild } from './change-build.ts';
import { compareRevisions } from './compare-revisions.ts';
import { createBuild } from './create-build.ts';
import { deleteBuild } from './delete-build.ts';
import { getBuild } from './get-build.ts';
import { listBuilds } from './list-builds.ts';
import { listCourseBuilds } from './list-course-builds.ts';
import { listPages } from './list-pages.ts';
import { runBuild } from './run-build.ts';
import { stopBuild } from './stop-build.ts';

export const operations: readonly Operation[] = [
  ...[listPages, listBuilds, createBuild, getBuild, changeBuild, deleteBuild],
  ...[runBuild, stopBuild, listCourseBuilds, compareRevisions],
];
