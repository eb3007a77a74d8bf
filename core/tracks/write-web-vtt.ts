import { arrow, type Cue, type CueList } from './cue.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** `HH:MM:SS.mmm` */
export function webVttTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const fraction = String(milliseconds % 1000).padStart(3, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${fraction}`;
}

function cueBlock({ id, start, end, settings, text }: Cue): string {
  const times = `${webVttTime(start)} ${arrow} ${webVttTime(end)}${settings === '' ? '' : ` ${settings}`}`;
  return `${id === '' ? '' : `${id}\n`}${times}${text === '' ? '' : `\n${text}`}`;
}

/** A file of WebVTT: UTF-8 once it is encoded, LF, regions before cues. */
export function writeWebVtt({ regions, cues, notes }: CueList): string {
  const blocks = cues.flatMap((cue) => [...cue.notes, cueBlock(cue)]);
  return `${['WEBVTT', ...regions, ...blocks, ...notes].join('\n\n')}\n`;
}
