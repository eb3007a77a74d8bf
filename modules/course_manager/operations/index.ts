import type { Operation } from '@lyceum/core';
import { assignSections } from './assign-sections.ts';
import { getSidebar } from './get-sidebar.ts';
import { linkCourse } from './link-course.ts';
import { listSections } from './list-sections.ts';
import { renameSection } from './rename-section.ts';
import { reorderSections } from './reorder-sections.ts';

export const operations: readonly Operation[] = [
  getSidebar,
  reorderSections,
  assignSections,
  listSections,
  renameSection,
  linkCourse,
];
