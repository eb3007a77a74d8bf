import type { Operation } from '@lyceum/core';
import { deleteEntry } from './entries/delete-entry.ts';
import { exportEntries } from './entries/export-entries.ts';
import { getEntry } from './entries/get-entry.ts';
import { listEntries } from './entries/list-entries.ts';
import { getRunnerData } from './forms/get-runner-data.ts';
import { updateDefinition } from './forms/update-definition.ts';
import { updateParts } from './forms/update-part.ts';
import { updateRunner } from './forms/update-runner.ts';
import { getLocale } from './i18n/get-locale.ts';
import { getTranslation } from './i18n/get-translation.ts';

export const operations: readonly Operation[] = [
  updateDefinition,
  updateRunner,
  ...updateParts,
  getRunnerData,
  listEntries,
  exportEntries,
  getEntry,
  deleteEntry,
  getLocale,
  getTranslation,
];
