import {
  type Attachment,
  type Call,
  Database,
  fail,
  matchesEtag,
  PlaybackArtifacts,
  type TextTrack,
  TextTrackStore,
  TextTracks,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { applyPlan } from './apply-plan.ts';
import { lockEditable } from './find-attachment.ts';
import { planTracks } from './plan-tracks.ts';
import { type Prepared, prepareTrack, type Wish } from './prepare-track.ts';
import { listEtag } from './present-track.ts';
import { recordTracks } from './record-tracks.ts';

/** A writer that finds its tracks changed by others so often gives up. */
const mostTries = 20;

/** What one request does to the tracks of an attachment. */
export interface TrackWrite {
  readonly wishes: readonly Wish[];
  /** Tracks that no wish names go. */
  readonly isWhole: boolean;
  /** Throws what the operation says of an index that no track has. */
  readonly unknownIndex: (wish: Wish) => never;
}

export interface WrittenTracks {
  readonly tracks: readonly TextTrack[];
  /** Indexes of the wished tracks, in the order of the wishes. */
  readonly indexes: readonly number[];
  readonly etag: string;
}

/** Codes that `writeTracks` throws beside those of finding the attachment. */
export const writeErrors = [
  'invalid_track',
  'track_exists',
  'too_many_tracks',
  'precondition_failed',
  'rest_body_too_large',
  'storage_unavailable',
];

interface Present {
  readonly tracks: readonly TextTrack[];
  readonly etag: string;
}

async function present(call: Call, id: number, sql: Knex): Promise<Present> {
  const [texts, { blog_id }] = [call.get(TextTracks), call.site];
  const tracks = await texts.list(blog_id, id, sql);
  return { tracks, etag: listEtag(await texts.revision(blog_id, id, sql), tracks) };
}

function checkPrecondition(call: Call, { etag }: Present): void {
  const wanted = call.header('if-match');
  if (wanted !== '' && !matchesEtag(wanted, etag)) fail('precondition_failed');
}

/** The tracks as they are, if they are what the client says. @throws `precondition_failed` */
export async function readTracks(call: Call, id: number): Promise<Present> {
  const seen = await present(call, id, call.get(Database).knex);
  checkPrecondition(call, seen);
  return seen;
}

const trackOf = (tracks: readonly TextTrack[], { index }: Wish): TextTrack | null =>
  tracks.find((track) => track.index === index) ?? null;

/** Whether what was prepared is still right for the track as it is now. */
function isFresh({ wish, before, content }: Prepared, tracks: readonly TextTrack[]): boolean {
  if (before === null) return true;
  const now = trackOf(tracks, wish);
  if (now === null) return true;
  const isSame = now.kind === before.kind && now.srclang === before.srclang;
  // Content that was given is right whatever file the track has meanwhile; what was taken from its file is not.
  return (
    isSame && (content === null || now.artifact_id === before.artifact_id || wish.input.content !== undefined)
  );
}

/**
 * Writes tracks of an attachment, all or none. Files are stored first, without a lock; then the list is locked, looked
 * at again and written in one transaction.
 */
export async function writeTracks(
  call: Call,
  attachment: Attachment,
  write: TrackWrite,
): Promise<WrittenTracks> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const written = await attempt(call, attachment, write);
    if (written) return written;
  }
  return fail('rest_conflict');
}

/** Null when another writer came between. */
async function attempt(call: Call, attachment: Attachment, write: TrackWrite): Promise<WrittenTracks | null> {
  const { id } = attachment.post;
  const seen = await readTracks(call, id);
  const ready: Prepared[] = [];
  let isDone = false;
  try {
    for (const wish of write.wishes) {
      const before = wish.index === null ? null : (trackOf(seen.tracks, wish) ?? write.unknownIndex(wish));
      ready.push(await prepareTrack(call, attachment, wish, before));
    }
    const written = await call.get(Database).transaction(async (trx) => {
      await lockEditable(trx, call, id);
      const now = await present(call, id, trx);
      checkPrecondition(call, now);
      if (!ready.every((prepared) => isFresh(prepared, now.tracks))) return null;
      const plan = planTracks(call, now.tracks, ready, write);
      const indexes = await applyPlan(trx, call, id, plan);
      await call.get(TextTrackStore).countWrite(trx, call.site.blog_id, id);
      if (write.isWhole) await recordTracks(trx, call, id, { from: now.tracks, to: plan.planned });
      return { indexes, ...(await present(call, id, trx)) };
    });
    isDone = written !== null;
    return written;
  } finally {
    if (!isDone) await takeBack(call, ready);
  }
}

async function takeBack(call: Call, ready: readonly Prepared[]): Promise<void> {
  const artifacts = call.get(PlaybackArtifacts);
  for (const { content } of ready) if (content) await artifacts.takeBack(content.stored);
}
