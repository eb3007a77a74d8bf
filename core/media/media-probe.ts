import { spawn } from 'node:child_process';
import path from 'node:path';
import { type MediaInfo, type MediaProblem, mediaInfo, mostPixels, probedEntries } from './media-info.ts';

/** What a film or sound says of itself; null where it says nothing. */
export interface MediaFacts {
  /** Seconds, to the millisecond. */
  readonly duration: number | null;
  /** Pixels as displayed: a rotation in the file is applied. Null for sound, also when it has a cover. */
  readonly width: number | null;
  readonly height: number | null;
  /** All that is known of it. */
  readonly media_info: MediaInfo | null;
}

export const noFacts: MediaFacts = { duration: null, width: null, height: null, media_info: null };

const timeLimitMs = 30_000;
const maxOutputBytes = 1024 * 1024;

/** What of ffprobe's complaints is read: the first lines say why. */
const maxErrorBytes = 4096;

/**
 * Boxes that hold their content themselves, by the names of ffmpeg's readers. A playlist or a script for ffmpeg, named
 * `.mp4`, would make it read other files or open sockets.
 */
export const mediaReaders = 'mov,matroska,webm,avi,mpegts,mpeg,flv,ogg,wav,mp3,flac,aac,asf';

/** Asks ffprobe about films and sound. Without one, nothing is known of any file. */
export class MediaProbe {
  readonly #command: string | null;

  /** @param command absolute path of ffprobe, or null */
  constructor(command: string | null) {
    this.#command = command;
  }

  /** Whether anybody can be asked. */
  get isThere(): boolean {
    return this.#command !== null;
  }

  /** Duration and size of a local file; `noFacts` when ffprobe makes nothing of it or needs more than 30 s. */
  async facts(file: string, signal: AbortSignal): Promise<MediaFacts> {
    const info = await this.info(file, signal);
    if (typeof info === 'string') return noFacts;
    const { duration, width, height } = info;
    return { duration, width, height, media_info: info };
  }

  /** What a local file is, or why it is no media that can be used. Without ffprobe nothing is media. */
  async info(file: string, signal: AbortSignal): Promise<MediaInfo | MediaProblem> {
    if (this.#command === null) return 'not_media';
    const output = await run(this.#command, argumentsFor(file), signal);
    if (output.isLate) return 'probe_timeout';
    if (output.text === null) {
      const isUnreadable = output.hasCrashed || output.complaint.includes('not on whitelist');
      return isUnreadable ? 'container_not_allowed' : 'not_media';
    }
    return mediaInfo(parse(output.text));
  }

  /**
   * What is wrong with a picture when it is decoded; null when nothing is, or when nobody here can say. Of some kinds
   * ffprobe does not know every form that browsers show: those are not asked about.
   * @param mime of the picture, whose size was found small enough to be decoded
   */
  async pictureProblem(file: string, mime: string, signal: AbortSignal): Promise<MediaProblem | null> {
    const reader = pictureReaders.get(mime);
    if (this.#command === null || reader === undefined) return null;
    const output = await run(this.#command, pictureArguments(file, reader), signal);
    if (output.isLate) return 'probe_timeout';
    const [stream] = parse(output.text ?? '').streams ?? [];
    // What the decoder says of a picture that ends early, whose rest it makes up.
    const isWhole = Number(stream?.nb_read_frames) === 1 && !output.complaint.includes('overread');
    return isWhole ? null : 'not_media';
  }
}

/** ffmpeg's readers of pictures, by MIME type. */
const pictureReaders: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg_pipe'],
  ['image/png', 'png_pipe'],
  ['image/gif', 'gif'],
]);

/** Only the first picture of those that move is decoded. */
const pictureArguments = (file: string, reader: string): string[] => [
  ...['-v', 'error', '-threads', '1', '-protocol_whitelist', 'file', '-f', reader],
  ...['-count_frames', '-read_intervals', '%+#1', '-show_entries', 'stream=nb_read_frames'],
  ...['-of', 'json', '-i', `file:${path.resolve(file)}`],
];

function argumentsFor(file: string): string[] {
  return [
    ...['-v', 'error', '-threads', '1', '-max_pixels', String(mostPixels)],
    ...['-protocol_whitelist', 'file', '-format_whitelist', mediaReaders],
    ...['-show_entries', probedEntries, '-of', 'json', '-i', `file:${path.resolve(file)}`],
  ];
}

interface Output {
  /** Null after a failure. */
  readonly text: string | null;
  readonly complaint: string;
  readonly isLate: boolean;
  /** It died of the file: the packaged ffprobe does so of every MPEG transport stream. */
  readonly hasCrashed: boolean;
}

/** Without a shell, without standard input, without our environment. */
function run(command: string, args: readonly string[], signal: AbortSignal): Promise<Output> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
      signal,
      killSignal: 'SIGKILL',
    });
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeLimitMs);
    const pieces: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxOutputBytes) child.kill('SIGKILL');
      else pieces.push(piece);
    });
    let complaint = '';
    child.stderr.on('data', (piece: Buffer) => {
      if (complaint.length < maxErrorBytes) complaint += piece.toString('latin1');
    });
    const end = (isGood: boolean, hasCrashed: boolean): void => {
      clearTimeout(limit);
      const text = isGood ? Buffer.concat(pieces).toString('utf8') : null;
      resolve({ text, complaint, isLate, hasCrashed });
    };
    child.once('error', () => end(false, false));
    child.once('close', (code, ended) => end(code === 0, ended !== null && ended !== 'SIGKILL'));
  });
}

function parse(output: string): Parameters<typeof mediaInfo>[0] {
  try {
    const report: unknown = JSON.parse(output);
    return typeof report === 'object' && report !== null ? report : {};
  } catch {
    return {};
  }
}
