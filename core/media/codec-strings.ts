import type { ProbedStream } from './media-info.ts';

/** Profile and constraint bytes of H.264, by ffprobe's name. */
const h264Profiles: Readonly<Record<string, string>> = {
  'Constrained Baseline': '42e0',
  Baseline: '4200',
  Main: '4d40',
  Extended: '5800',
  High: '6400',
  'High 10': '6e00',
  'High 4:2:2': '7a00',
  'High 4:4:4 Predictive': 'f400',
};

const aacObjects: Readonly<Record<string, string>> = { LC: '2', 'HE-AAC': '5', 'HE-AACv2': '29', Main: '1' };

/** The codec of a picture by RFC 6381; null where browsers would not play it, or it is not known exactly. */
export function videoCodecString(stream: ProbedStream): string | null {
  const { codec_name, profile } = stream;
  const level = Number(stream.level);
  switch (codec_name) {
    case 'h264': {
      const bytes = h264Profiles[String(profile)];
      return bytes && level > 0 && level < 256 ? `avc1.${bytes}${level.toString(16).padStart(2, '0')}` : null;
    }
    case 'vp8':
      return 'vp8';
    case 'vp9':
      return `vp09.${two(vp9Profile(profile))}.${two(vp9Level(stream, level))}.${depth(stream)}`;
    case 'av1': {
      const number = profile === 'High' ? 1 : profile === 'Professional' ? 2 : 0;
      return `av01.${number}.${two(level >= 0 ? level : 8)}M.${depth(stream)}`;
    }
    default:
      return null;
  }
}

/** The codec of a sound by RFC 6381; null as above. */
export function audioCodecString({ codec_name, profile }: ProbedStream): string | null {
  switch (codec_name) {
    case 'aac': {
      const object = aacObjects[String(profile)];
      return object ? `mp4a.40.${object}` : null;
    }
    case 'mp3':
      return 'mp3';
    case 'opus':
    case 'vorbis':
    case 'flac':
      return String(codec_name);
    default:
      return null;
  }
}

const vp9Profile = (profile: unknown): number => Number(/\d/.exec(String(profile))?.[0] ?? 0);

/** Greatest number of pixels in a picture of each level of VP9. */
const vp9Levels: readonly (readonly [number, number])[] = [
  [36_864, 10],
  [73_728, 11],
  [122_880, 20],
  [245_760, 21],
  [552_960, 30],
  [983_040, 31],
  [2_228_224, 41],
  [8_912_896, 51],
  [35_651_584, 61],
];

/** The stream itself seldom says it, so it follows from the size. */
function vp9Level({ width, height }: ProbedStream, level: number): number {
  if (level > 0) return level;
  const pixels = Number(width) * Number(height);
  return vp9Levels.find(([most]) => pixels <= most)?.[1] ?? 62;
}

const two = (number: number): string => String(number).padStart(2, '0');

const depth = ({ pix_fmt }: ProbedStream): string => /1[02]/.exec(String(pix_fmt).slice(4))?.[0] ?? '08';
