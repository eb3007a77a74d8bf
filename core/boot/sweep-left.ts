import { PlaybackArtifacts } from '../artifacts/playback-artifacts.ts';
import { UnclaimedFiles } from '../content/attachments/unclaimed-files.ts';
import { WorkFolders } from '../files/work-folders.ts';
import { UploadFolder } from '../http/upload-folder.ts';
import type { Services } from './container.ts';

/**
 * Removes what processes that were killed left in files.
 * @param alone no other process serves or works: then all of it is left, else only what is old in the own folder
 */
export async function sweepLeft(services: Services, alone: boolean, now: Date): Promise<void> {
  await services.host(UploadFolder).sweep(alone, Date.now());
  await services.host(WorkFolders).sweep(alone, Date.now());
  if (!alone) return;
  const { signal } = new AbortController();
  await services.host(UnclaimedFiles).sweep(now, signal);
  await services.host(PlaybackArtifacts).sweep(signal);
}
