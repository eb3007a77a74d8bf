import { availableParallelism } from 'node:os';
import { type MediaInfo, mediaReaders } from '@lyceum/core';

/** A source on this machine. */
export interface Source {
  /** Absolute path. */
  readonly file: string;
  readonly info: MediaInfo;
}

/** What limits the decoding of foreign files. */
export interface Limits {
  /** 0: as many as there are processors, but not so many that their buffers need more memory than there may be. */
  readonly threads: number;
  readonly maxPixels: number;
}

const mostAutoThreads = 4;

/** Codecs that films for players are made of; ffmpeg knows hundreds that nobody looks after. */
const decoders = [
  ...['h264', 'hevc', 'mpeg4', 'msmpeg4', 'msmpeg4v2', 'msmpeg4v1', 'mpeg1video', 'mpeg2video', 'mjpeg'],
  ...['vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1', 'theora', 'prores', 'dnxhd'],
  ...['flv', 'h263', 'h263p', 'wmv1', 'wmv2', 'wmv3', 'vc1', 'dvvideo', 'rawvideo', 'ffv1', 'huffyuv', 'png'],
  ...['aac', 'aac_latm', 'mp3', 'mp3float', 'mp2', 'mp2float', 'mp1', 'mp1float', 'ac3', 'eac3', 'dca'],
  ...['opus', 'libopus', 'vorbis', 'libvorbis', 'flac', 'alac', 'truehd', 'wmav1', 'wmav2', 'wmapro'],
  ...[
    'amrnb',
    'amrwb',
    'libopencore_amrnb',
    'libopencore_amrwb',
    'adpcm_ms',
    'adpcm_ima_wav',
    'adpcm_ima_qt',
  ],
  ...['pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be'],
  ...[
    'pcm_f64le',
    'pcm_u8',
    'pcm_s8',
    'pcm_alaw',
    'pcm_mulaw',
    'pcm_bluray',
    'pcm_dvd',
    'nellymoser',
    'speex',
  ],
].join(',');

export const threadsOf = ({ threads }: Limits): string =>
  String(threads > 0 ? threads : Math.min(availableParallelism(), mostAutoThreads));

/**
 * Opens one file and nothing else: no network, no playlists and scripts that name other files, no huge frames.
 * `seek` in seconds.
 */
export function sourceArguments({ file }: Source, limits: Limits, seek: number | null): string[] {
  return [
    ...['-threads', threadsOf(limits), '-max_pixels', String(limits.maxPixels)],
    ...['-protocol_whitelist', 'file', '-format_whitelist', mediaReaders, '-codec_whitelist', decoders],
    ...(seek === null ? [] : ['-ss', seek.toFixed(3)]),
    ...['-i', `file:${file}`],
  ];
}

/** The first picture and the first sound, and nothing of what the file tells of its maker. */
export function chosenStreams({ info }: Source, wants: { readonly video: boolean; readonly audio: boolean }) {
  const maps: string[] = [];
  if (wants.video && info.video_stream !== null) maps.push('-map', `0:${info.video_stream}`);
  if (wants.audio && info.audio_stream !== null) maps.push('-map', `0:${info.audio_stream}`);
  return [...maps, '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
}
