import { atWidth } from './picture-size.ts';
import { chosenStreams, type Limits, type Source, sourceArguments } from './source-arguments.ts';

/** Seconds before a time at which there is a picture in any case: the last one often ends before the sound. */
export const stepsBack: readonly number[] = [0, 0.2, 1, 3];

/** The last picture of a film, whose sound goes on long after it, as a JPEG: all of them are looked at. */
export function lastPictureArguments(source: Source, limits: Limits, width: number, file: string): string[] {
  return [
    ...sourceArguments(source, limits, null),
    ...chosenStreams(source, { video: true, audio: false }),
    ...pictureOutput(source, width, file),
  ];
}

/** One picture of a film as a JPEG, no wider than asked for. */
export function pictureArguments(
  source: Source,
  limits: Limits,
  { time, width, file }: { readonly time: number; readonly width: number; readonly file: string },
): string[] {
  return [
    ...sourceArguments(source, limits, time),
    ...chosenStreams(source, { video: true, audio: false }),
    ...['-frames:v', '1', ...pictureOutput(source, width, file)],
  ];
}

/** Of many pictures the file keeps the last. */
function pictureOutput({ info }: Source, width: number, file: string): string[] {
  const size = atWidth({ width: info.width ?? 2, height: info.height ?? 2 }, width);
  return [
    ...['-vf', `scale=${size.width}:${size.height},setsar=1,format=yuvj420p`],
    ...['-q:v', '3', '-f', 'image2', '-update', '1', `file:${file}`],
  ];
}
