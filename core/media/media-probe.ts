import { spawn } from 'node:child_process';
import path from 'node:path';

/** What a film or sound says of itself; null where it says nothing. */
export interface MediaFacts {
  /** Seconds, to the millisecond. */
  readonly duration: number | null;
  /** Pixels as displayed: a rotation in the file is applied. Null for sound, also when it has a cover. */
  readonly width: number | null;
  readonly height: number | null;
}

export const noFacts: MediaFacts = { duration: null, width: null, height: null };

const timeLimitMs = 30_000;
const maxOutputBytes = 1024 * 1024;

/** Pixels of a frame that are decoded: 8K. It bounds the memory of the probe. */
const maxPixels = 33_177_600;

/**
 * Boxes that hold their content themselves. A playlist or a script for ffmpeg, named `.mp4`, would make it read
 * other files or open sockets.
 */
const formats = 'mov,matroska,webm,avi,mpegts,mpeg,flv,ogg,wav,mp3,flac,aac,asf';

interface Stream {
  readonly codec_type?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
  readonly disposition?: { readonly attached_pic?: unknown };
  readonly tags?: { readonly rotate?: unknown };
  readonly side_data_list?: readonly { readonly rotation?: unknown }[];
}

interface Report {
  readonly format?: { readonly duration?: unknown };
  readonly streams?: readonly Stream[];
}

/** Asks ffprobe about films and sound. Without one, nothing is known of any file. */
export class MediaProbe {
  readonly #command: string | null;

  /** @param command absolute path of ffprobe, or null */
  constructor(command: string | null) {
    this.#command = command;
  }

  /** Duration and size of a local file; `noFacts` when ffprobe makes nothing of it or needs more than 30 s. */
  async facts(file: string, signal: AbortSignal): Promise<MediaFacts> {
    if (this.#command === null) return noFacts;
    const output = await run(this.#command, argumentsFor(file), signal);
    return output === null ? noFacts : factsIn(output);
  }
}

function argumentsFor(file: string): string[] {
  const entries =
    'format=duration:stream=codec_type,width,height:stream_disposition=attached_pic:' +
    'stream_tags=rotate:stream_side_data=rotation';
  return [
    ...['-v', 'quiet', '-threads', '1', '-max_pixels', String(maxPixels)],
    ...['-protocol_whitelist', 'file', '-format_whitelist', formats],
    ...['-show_entries', entries, '-of', 'json', '-i', `file:${path.resolve(file)}`],
  ];
}

/** Standard output, or null after a failure. Without a shell, without standard input, without our environment. */
function run(command: string, args: readonly string[], signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {},
      signal,
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxOutputBytes) child.kill('SIGKILL');
      else pieces.push(piece);
    });
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === 0 ? Buffer.concat(pieces).toString('utf8') : null));
  });
}

function factsIn(output: string): MediaFacts {
  const report = parse(output);
  const duration = Number(report.format?.duration);
  const picture = report.streams?.find(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  );
  const size = picture ? sizeOf(picture) : { width: null, height: null };
  return { duration: duration > 0 && duration < 1e9 ? Math.round(duration * 1000) / 1000 : null, ...size };
}

function parse(output: string): Report {
  try {
    const report: unknown = JSON.parse(output);
    return typeof report === 'object' && report !== null ? report : {};
  } catch {
    return {};
  }
}

function sizeOf(stream: Stream): Pick<MediaFacts, 'width' | 'height'> {
  const [width, height] = [positive(stream.width), positive(stream.height)];
  if (width === null || height === null) return { width: null, height: null };
  const turned = stream.side_data_list?.find(({ rotation }) => typeof rotation === 'number')?.rotation;
  const degrees = Number(turned ?? stream.tags?.rotate ?? 0);
  return Math.abs(degrees) % 180 === 90 ? { width: height, height: width } : { width, height };
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
