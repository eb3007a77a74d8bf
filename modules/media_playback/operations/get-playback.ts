import {
  type Call,
  canonicalTag,
  defineOperation,
  etagOf,
  fail,
  idText,
  invalidParams,
  longestTag,
  plainCueText,
  readId,
  reply,
  type TextTrack,
  TextTracks,
  yup,
} from '@lyceum/core';
import { fileAddresses } from '../addresses.ts';
import { chooseTracks, languagesOf } from '../choose-tracks.ts';
import { otherKeys } from '../formats.ts';
import { PlaybackRecord } from '../playback-record.ts';
import { type Playback, readPlayback } from '../read-playback.ts';
import { playedSources } from '../sources.ts';

const settingNames = ['include_original', 'grant_seconds', 'preload'] as const;

async function chaptersIn(call: Call, track: TextTrack | null) {
  const list = track && (await call.get(TextTracks).cues(call.site.blog_id, track));
  return (list?.cues ?? []).map(({ start, end, text }) => ({
    ...{ start: start / 1000, end: end / 1000, title: plainCueText(text) },
  }));
}

async function present(call: Call, playback: Playback, wanted: string | null) {
  const { attachment, artifacts, tracks, processing } = playback;
  const { post, mime_type, media_info, duration, width, height } = attachment;
  const isVideo = (media_info?.kind ?? mime_type.split('/', 1)[0]) === 'video';
  const addresses = fileAddresses(call, attachment);
  const addressOf = (key: string): string => {
    const artifact = artifacts.find(({ format_key }) => format_key === key);
    return artifact ? addresses.of(artifact.path) : '';
  };
  const sources = playedSources(call, attachment, artifacts, isVideo).map(({ path, ...source }) => ({
    src: addresses.of(path),
    ...source,
  }));
  const [hls, thumbnails] = [addressOf(otherKeys.hls), addressOf(otherKeys.thumbnails)];
  const chosen = chooseTracks(tracks, wanted);
  return {
    ...{
      attachment_id: post.id,
      blog_id: post.blog_id,
      type: isVideo ? 'video' : 'audio',
      title: post.title,
    },
    ...{
      playable: sources.length > 0 || hls !== '',
      duration,
      width,
      height,
      poster: addressOf(otherKeys.poster),
    },
    sources,
    hls: hls === '' ? null : { src: hls, type: 'application/vnd.apple.mpegurl' },
    tracks: tracks.map(({ kind, label, srclang, path, index }) => ({
      ...{ kind, label, srclang, src: addresses.of(path), default: chosen.defaults.has(index), index },
    })),
    previewThumbnails: { enabled: thumbnails !== '', src: thumbnails },
    chapters: await chaptersIn(call, chosen.chapters),
    ...{ lang: chosen.lang, langs: languagesOf(tracks), preload: call.setting('preload'), processing },
    urls_expire_at: addresses.expireAt,
  };
}

export const getPlayback = defineOperation({
  id: 'media_playback.get-playback',
  method: 'GET',
  path: 'svc/media-playback/v1/attachments/{id}',
  summary: 'All that a player needs for a video or sound, in one answer',
  description:
    'The answer is a source object of Plyr; `sources` and `hls` are source objects of Video.js, `tracks` go to ' +
    '`addRemoteTextTrack`, `hls.src` to hls.js.',
  access: { can: 'read' },
  contract: true,
  site: 'selectable',
  input: { params: yup.object({ id: idText() }), query: yup.object({ lang: yup.string().max(longestTag) }) },
  output: PlaybackRecord,
  errors: ['attachment_not_found', 'rest_forbidden', 'not_media_attachment'],
  handle: async ({ params, query }, call) => {
    const { lang } = query;
    if (lang !== undefined && canonicalTag(lang) === null) {
      invalidParams({ lang: 'must be a language tag such as pt-BR' });
    }
    const unknown = /^-?\d{1,100}$/.test(params.id) ? 'attachment_not_found' : 'rest_no_route';
    const playback = await readPlayback(call, readId(params.id) ?? fail(unknown));
    const answer = await present(call, playback, lang ?? null);
    const settings = settingNames.map((name) => call.setting(name));
    const etag = etagOf(JSON.stringify([playback.attachment.post.status, settings, answer]));
    return reply(answer, {
      headers: { ETag: etag, 'Cache-Control': 'private, max-age=0, must-revalidate' },
    });
  },
});
