import { audit, type Call, type TextTrack } from '@lyceum/core';
import type { Knex } from 'knex';

type Named = Pick<TextTrack, 'kind' | 'srclang' | 'label'>;

/** What the audit log keeps of a list. */
const brief = (tracks: readonly Named[]) => ({
  tracks: tracks.map(({ kind, srclang, label }) => `${kind} ${srclang || 'und'} ${label}`),
});

/** Notes that tracks went, alone or as their list was replaced. */
export const recordTracks = (
  trx: Knex.Transaction,
  call: Call,
  attachmentId: number,
  { from, to }: { readonly from: readonly Named[]; readonly to: readonly Named[] },
): Promise<void> =>
  audit(trx, call, {
    module: 'media_subtitles_timecodes',
    action: 'media_subtitles_timecodes.tracks',
    subject: `attachment:${attachmentId}`,
    from: brief(from),
    to: brief(to),
  });
