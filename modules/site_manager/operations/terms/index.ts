import type { Operation } from '@lyceum/core';
import { changeCategory } from './change-category.ts';
import { changeStatus } from './change-status.ts';
import { createCategory } from './create-category.ts';
import { createStatus } from './create-status.ts';
import { deleteCategory } from './delete-category.ts';
import { deleteStatus } from './delete-status.ts';
import { listCategories } from './list-categories.ts';
import { listStatuses } from './list-statuses.ts';

export const operations: readonly Operation[] = [
  listCategories,
  createCategory,
  changeCategory,
  deleteCategory,
  listStatuses,
  createStatus,
  changeStatus,
  deleteStatus,
];
