import { rootElement } from './active-content.ts';

/** What the text of a file must look like beyond being text. It sees the head, decoded, without mark. */
type TextRule = (text: string) => boolean;

const anyText: TextRule = () => true;

/** Types that are known by what they say, since text has no signature. */
export const TEXT_RULES: Readonly<Record<string, TextRule>> = {
  txt: anyText,
  log: anyText,
  csv: anyText,
  tsv: anyText,
  md: anyText,
  json: (text) => /^[[{"\d\-tfn]/.test(text.trimStart()),
  ics: (text) => text.startsWith('BEGIN:VCALENDAR'),
  vcf: (text) => text.startsWith('BEGIN:VCARD'),
  vtt: isWebVtt,
  srt: isSubRip,
};

/** Types that a browser runs. They count only where their own extension is asked for. */
export const MARKUP_RULES: Readonly<Record<string, TextRule>> = {
  svg: (text) => rootElement(text) === 'svg',
  xml: (text) => text.trimStart().startsWith('<') && rootElement(text) !== null,
  xhtml: (text) => rootElement(text) === 'html',
  html: (text) => text.trimStart().startsWith('<'),
  htm: (text) => text.trimStart().startsWith('<'),
};

/** The signature of WebVTT must be followed by white space or the end of the file. */
function isWebVtt(text: string): boolean {
  return /^WEBVTT(?:[ \t\r\n]|$)/.test(text);
}

const TIMING = /^(?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[,.]\d{1,4})?[ \t]{0,8}-->/;
const COUNTER = /^\d{1,10}$/;

/** Counters may be missing or repeated, but nothing else stands before the first timing. */
function isSubRip(text: string): boolean {
  for (const line of text.split(/\r\n|\n|\r/, 50)) {
    const words = line.slice(0, 200).trim();
    if (TIMING.test(words)) return true;
    if (words !== '' && !COUNTER.test(words)) return false;
  }
  return false;
}
