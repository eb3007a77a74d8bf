import type { JobRun } from '@lyceum/core';
import type { Build } from '../build.ts';

/** The settings of a run as they were when it began: it keeps to them, whoever goes on with it. */
export interface BuildSettings {
  readonly withHeader: boolean;
  readonly useSections: boolean;
  /** Files of the site are copied. */
  readonly withFiles: boolean;
  /** Files of other hosts are fetched. */
  readonly withExternal: boolean;
  readonly maxBytes: number;
}

/** As they are now. A folder that is served has all files of the site in it, and none of others. */
export async function readSettings(
  job: JobRun<unknown>,
  { config }: Pick<Build, 'config'>,
): Promise<BuildSettings> {
  const isLive = config.export_mode === 'live';
  return {
    withHeader: !(await job.setting<boolean>('disable_auto_addition_data')),
    useSections: await job.setting<boolean>('use_sections'),
    withFiles: isLive || !(await job.setting<boolean>('not_include_media_files_build')),
    withExternal: !isLive && (await job.setting<boolean | null>('save_external_files')) !== false,
    maxBytes: await job.setting<number>('max_build_bytes'),
  };
}
