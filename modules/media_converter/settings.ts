import { list, type SettingDeclaration, word, yup } from '@lyceum/core';
import { formatKeys } from './formats.ts';

const key = () => word(...formatKeys).required();

const keys = () =>
  list(key(), formatKeys.length)
    .required()
    .test(
      'distinct',
      'must not name a format twice',
      (given) => new Set(given).size === (given ?? []).length,
    );

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

/** Words of x264 for how long it may think. */
const presets = [
  'ultrafast',
  'superfast',
  'veryfast',
  'faster',
  'fast',
  'medium',
  'slow',
  'slower',
  'veryslow',
] as const;

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  default_formats: {
    title: 'Formats that are made when none are named',
    schema: keys(),
    default: ['mp4_1080', 'mp4_720', 'mp4_480'],
    scope: 'site',
  },
  enabled_formats: {
    title: 'Formats that may be made',
    schema: keys(),
    default: formatKeys.filter((name) => name !== 'webm_av1'),
    scope: 'site',
  },
  auto_encode: {
    title: 'Whether uploaded films are encoded in the default formats',
    schema: yup.boolean().required(),
    default: false,
    scope: 'site',
  },
  preset: {
    title: 'How long x264 may think, in its own words',
    schema: word(...presets).required(),
    default: 'medium',
    scope: 'site',
  },
  crf: {
    title: 'Quality of the picture by codec; less is better',
    schema: yup.object({ h264: whole(0, 51), vp9: whole(0, 63), av1: whole(0, 63) }).required(),
    default: { h264: 23, vp9: 33, av1: 35 },
    scope: 'site',
  },
  audio_bitrate_kbps: {
    title: 'Kilobits per second of sound by codec',
    schema: yup.object({ aac: whole(32, 320), mp3: whole(32, 320), opus: whole(32, 320) }).required(),
    default: { aac: 128, mp3: 192, opus: 96 },
    scope: 'site',
  },
  hls_segment_seconds: {
    title: 'Seconds of an HLS segment',
    schema: whole(2, 10),
    default: 6,
    scope: 'site',
  },
  thumbnail_interval_seconds: {
    title: 'Seconds between thumbnails of the seek bar',
    schema: whole(1, 60),
    default: 5,
    scope: 'site',
  },
  thumbnail_width: {
    title: 'Width of a thumbnail of the seek bar, in pixels',
    schema: whole(64, 480),
    default: 160,
    scope: 'site',
  },
  concurrency: {
    title: 'Encodings at once in the installation',
    schema: whole(1, 16),
    default: 1,
    scope: 'network',
  },
  threads: {
    title: 'Threads of an encoding; 0 for as many as there are processors, up to 4',
    schema: whole(0, 64),
    default: 0,
    scope: 'network',
  },
  max_upload_bytes: {
    title: 'Bytes of an uploaded film or sound',
    schema: whole(1, 2 ** 40),
    default: 2 * 1024 ** 3,
    scope: 'network',
  },
  max_duration_seconds: {
    title: 'Seconds of a film or sound',
    schema: whole(1, 1_000_000),
    default: 14_400,
    scope: 'network',
  },
  max_pixels: {
    title: 'Pixels of a frame',
    schema: whole(1, 33_177_600),
    default: 33_177_600,
    scope: 'network',
  },
  timeout_factor: {
    title: 'Times its duration that the encoding of a film may take, and at least 600 seconds',
    schema: whole(1, 1_000),
    default: 20,
    scope: 'network',
  },
};
