import {
  type Attachment,
  artifactName,
  type Call,
  CodedError,
  fail,
  invalidParams,
  type ParsedTrack,
  PlaybackArtifacts,
  type StoredContent,
  type TextTrack,
  TextTracks,
  type TrackKind,
} from '@lyceum/core';
import { cleanLabel, standardLabel } from './language.ts';
import { jsonCues, jsonTimecodes } from './text/json-cues.ts';
import { parseContent } from './text/parse-content.ts';
import { chaptersOf } from './text/parse-timecodes.ts';
import { trackText } from './text/track-text.ts';
import { checkedTag, contentForm, standardTag, type TrackInput } from './track-fields.ts';

/** What a client wants of one track. */
export interface Wish {
  /** Null for a new track. */
  readonly index: number | null;
  readonly input: TrackInput;
  /** Where it stands in a list, as `tracks[1].`; else empty. */
  readonly at: string;
}

/** New content, stored and not yet anybody's. */
export interface NewContent {
  readonly stored: StoredContent;
  readonly name: string;
  readonly folder: 'chapters' | 'subtitles';
  readonly cues: number;
  readonly duration: number;
}

/** A wish that is ready to be written. */
export interface Prepared {
  readonly wish: Wish;
  readonly kind: TrackKind;
  readonly srclang: string;
  /** Undefined leaves the label as it is. */
  readonly label: string | undefined;
  /** Null leaves the file as it is. */
  readonly content: NewContent | null;
  /** The track as it was when this was prepared. */
  readonly before: TextTrack | null;
}

function checkBytes(call: Call, bytes: number): void {
  if (bytes > call.setting<number>('max_track_bytes')) fail('rest_body_too_large');
}

function parsedInput(call: Call, wish: Wish, kind: TrackKind, mediaEnd: number | null): ParsedTrack | null {
  const { input, at } = wish;
  const { format = 'auto' } = input;
  const isChapters = kind === 'chapters';
  if (format === 'timecodes' && !isChapters) invalidParams({ [`${at}format`]: 'is for chapters only' });
  switch (contentForm(input, at)) {
    case 'content':
      checkBytes(call, Buffer.byteLength(input.content ?? ''));
      return parseContent(input.content ?? '', { format, kind, mediaEnd });
    case 'cues':
      return jsonCues(input.cues, `${at}cues`, kind !== 'metadata');
    case 'timecodes': {
      if (!isChapters) invalidParams({ [`${at}timecodes`]: 'is for chapters only' });
      return chaptersOf(jsonTimecodes(input.timecodes, `${at}timecodes`), [], mediaEnd);
    }
    default:
      return null;
  }
}

/** The stored cues of a track that becomes one of another kind or language. */
async function storedCues(call: Call, track: TextTrack): Promise<ParsedTrack> {
  const kept = await call.get(TextTracks).cues(call.site.blog_id, track);
  if (kept === null) return fail('storage_unavailable');
  return { ...kept, cues: kept.cues.map((cue, at) => ({ ...cue, line: at + 1 })), problems: [] };
}

function identityOf(call: Call, { input, at }: Wish, before: TextTrack | null) {
  const kind = input.kind ?? before?.kind ?? 'subtitles';
  const given = checkedTag(input.srclang, `${at}srclang`);
  const srclang = given ?? before?.srclang ?? standardTag(call);
  if (srclang === '' && kind !== 'chapters' && kind !== 'metadata') {
    invalidParams({ [`${at}srclang`]: 'may be empty for chapters and metadata only' });
  }
  if (input.default && kind === 'metadata') invalidParams({ [`${at}default`]: 'is not for metadata' });
  const label = input.label === undefined ? undefined : cleanLabel(input.label);
  const isNamed = label !== undefined || before !== null;
  return { kind, srclang, label: label === '' || !isNamed ? standardLabel(kind, srclang) : label };
}

/**
 * Checks a wish, and stores what is to be the track's new file.
 * @param before the track as it is now, null for a new one
 * @throws `rest_invalid_param`, `invalid_track`, `rest_body_too_large`, `storage_unavailable`
 */
export async function prepareTrack(
  call: Call,
  attachment: Attachment,
  wish: Wish,
  before: TextTrack | null,
): Promise<Prepared> {
  const { kind, srclang, label } = identityOf(call, wish, before);
  const mediaEnd = attachment.duration === null ? null : Math.round(attachment.duration * 1000);
  const isOther = before !== null && (before.kind !== kind || before.srclang !== srclang);
  const parsed = parsedInput(call, wish, kind, mediaEnd) ?? (isOther ? await storedCues(call, before) : null);
  const prepared = { wish, kind, srclang, label, before };
  if (parsed === null) return { ...prepared, content: null };
  const { text, cues, duration } = trackText(parsed, kind, mediaEnd);
  const bytes = Buffer.from(text);
  const artifacts = call.get(PlaybackArtifacts);
  const owner = { blogId: call.site.blog_id, attachmentId: attachment.post.id };
  const stored = await artifacts
    .store(owner, { content: { bytes }, name: 'track.vtt' }, call.signal)
    .catch((cause: unknown) => {
      throw call.signal.aborted ? cause : new CodedError('storage_unavailable', { cause });
    });
  const name = artifactName(attachment.filename, `${kind}-${srclang || 'und'}`, stored.hash, 'vtt');
  if (name === before?.name) {
    // The same content again: the file and its address stay.
    await artifacts.takeBack(stored);
    return { ...prepared, content: null };
  }
  const folder = kind === 'chapters' ? 'chapters' : 'subtitles';
  return { ...prepared, content: { stored, name, folder, cues, duration } };
}
