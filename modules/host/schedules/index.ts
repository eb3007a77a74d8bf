import type { Schedule } from '@lyceum/core';
import { emptyTrash } from './empty-trash.ts';
import { forgetExpired } from './forget-expired.ts';
import { publishPlanned } from './publish-planned.ts';
import { sweepArtifacts } from './sweep-artifacts.ts';
import { sweepCopies } from './sweep-copies.ts';
import { sweepImports } from './sweep-imports.ts';

export const schedules: readonly Schedule[] = [
  publishPlanned,
  emptyTrash,
  forgetExpired,
  sweepImports,
  sweepCopies,
  sweepArtifacts,
];
