import type { Migration } from '../../api/module.ts';
import { createTenants } from './001-tenants.ts';
import { createContent } from './002-content.ts';
import { createPeople } from './003-people.ts';
import { createState } from './004-state.ts';
import { createJobs } from './005-jobs.ts';
import { createSchedules } from './006-schedules.ts';
import { createCopies } from './007-copies.ts';
import { createRemovedSites } from './008-removed-sites.ts';
import { createJobTickets } from './009-job-tickets.ts';
import { createUnclaimedFiles } from './010-unclaimed-files.ts';
import { createPackages } from './011-packages.ts';
import { createModuleState } from './012-module-state.ts';
import { createPlaybackArtifacts } from './013-playback-artifacts.ts';
import { createRevisions } from './014-revisions.ts';
import { createMediaTracks } from './015-media-tracks.ts';
import { createGateTurns } from './016-gate-turns.ts';

/** The host's own schema, in order. */
export const coreMigrations: readonly Migration[] = [
  createTenants,
  createContent,
  createPeople,
  createState,
  createJobs,
  createSchedules,
  createCopies,
  createRemovedSites,
  createJobTickets,
  createUnclaimedFiles,
  createPackages,
  createModuleState,
  createPlaybackArtifacts,
  createRevisions,
  createMediaTracks,
  createGateTurns,
];
