import { type Call, fail, PlaybackArtifacts, TextTrackStore, type TrackColumns } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Plan, Planned } from './plan-tracks.ts';

const mimeType = 'text/vtt';

type Changed = Pick<TrackColumns, 'artifact_id' | 'cues' | 'duration'>;

/** The artifact of the track's content, new or as it is. */
async function contentOf(trx: Knex.Transaction, call: Call, { before, content }: Planned): Promise<Changed> {
  if (content) {
    const { stored, name, folder, cues, duration } = content;
    const given = { folder, name, mime_type: mimeType, format_key: null, meta: {} };
    const artifact = await call.get(PlaybackArtifacts).put(trx, stored, given);
    return artifact ? { artifact_id: artifact.id, cues, duration } : fail('attachment_not_found');
  }
  if (before) return before;
  throw new Error('A new track has no content.');
}

const columnsOf = ({ kind, srclang, label, is_default }: Planned, changed: Changed): TrackColumns => ({
  ...{ kind, srclang, label, is_default },
  ...{ artifact_id: changed.artifact_id, cues: changed.cues, duration: changed.duration },
});

/** Writes what really changes. Indexes of the wished tracks, in the order of the wishes. */
export async function applyPlan(
  trx: Knex.Transaction,
  call: Call,
  id: number,
  plan: Plan,
): Promise<number[]> {
  const store = call.get(TextTrackStore);
  const artifacts = call.get(PlaybackArtifacts);
  const { blog_id } = call.site;
  const now = call.now();
  const indexes = new Map<Planned, number>();
  // The row of a track goes with the artifact.
  const gone = plan.removed.map(({ artifact_id }) => artifact_id);
  if (gone.length > 0) await artifacts.drop(trx, blog_id, id, { ids: gone });
  const superseded: number[] = [];
  for (const track of plan.planned) {
    const { before } = track;
    const columns = columnsOf(track, await contentOf(trx, call, track));
    if (before === null) {
      const index = await store.nextIndex(trx, blog_id, id);
      await store.insert(trx, { blog_id, attachment_id: id }, { ...columns, index }, now);
      indexes.set(track, index);
      continue;
    }
    indexes.set(track, before.index);
    const names = Object.keys(columns) as (keyof TrackColumns)[];
    if (names.some((name) => columns[name] !== before[name]))
      await store.update(trx, before.id, columns, now);
    if (columns.artifact_id !== before.artifact_id) superseded.push(before.artifact_id);
  }
  if (superseded.length > 0) await artifacts.supersede(trx, blog_id, id, { ids: superseded });
  return plan.planned.filter(({ wish }) => wish !== null).map((track) => indexes.get(track) ?? 0);
}
