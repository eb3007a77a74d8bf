import { arrow, invalidParams, knownSettings, type ParsedTrack, type PlacedCue } from '@lyceum/core';
import type { Beginning } from './parse-timecodes.ts';

const mostItems = 200_000;

type Item = Readonly<Record<string, unknown>>;

/** The items of a list, each an object; lines count them from 1. */
function itemsOf(given: unknown, name: string): readonly Item[] {
  if (!Array.isArray(given) || given.length > mostItems)
    return invalidParams({ [name]: 'must be an array of objects' });
  const wrong = given.findIndex((item) => typeof item !== 'object' || item === null || Array.isArray(item));
  if (wrong >= 0) invalidParams({ [`${name}[${wrong}]`]: 'must be an object' });
  return given as readonly Item[];
}

function own(item: Item, key: string): unknown {
  return Object.hasOwn(item, key) ? item[key] : undefined;
}

function textIn(item: Item, key: string, name: string, standard: string | null): string {
  const value = own(item, key) ?? standard;
  return typeof value === 'string' ? value : invalidParams({ [`${name}.${key}`]: 'must be of type string' });
}

/** Seconds as whole milliseconds; what no clock shows is for the check of the track to refuse. */
function millisecondsIn(item: Item, key: string, name: string): number {
  const value = own(item, key);
  return typeof value === 'number'
    ? Math.round(value * 1000)
    : invalidParams({ [`${name}.${key}`]: 'must be of type number' });
}

const lineEnds = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/**
 * Cues that were given one by one.
 * @param name of the field, for refusals
 * @throws `rest_invalid_param`
 */
export function jsonCues(given: unknown, name: string, isText: boolean): ParsedTrack {
  const cues = itemsOf(given, name).map((item, at): PlacedCue => {
    const here = `${name}[${at}]`;
    const id = textIn(item, 'id', here, '');
    if (/[\r\n]/.test(id) || id.includes(arrow))
      invalidParams({ [`${here}.id`]: 'must be one line without an arrow' });
    const text = lineEnds(textIn(item, 'text', here, null));
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return {
      id: id.trim(),
      start: millisecondsIn(item, 'start', here),
      end: millisecondsIn(item, 'end', here),
      settings: knownSettings(textIn(item, 'settings', here, '')),
      text: isText ? lines.join('\n') : text,
      notes: [],
      line: at + 1,
    };
  });
  return { regions: [], cues, notes: [], problems: [] };
}

/** Beginnings of chapters that were given one by one. */
export function jsonTimecodes(given: unknown, name: string): Beginning[] {
  return itemsOf(given, name).map((item, at) => {
    const here = `${name}[${at}]`;
    const title = textIn(item, 'title', here, null).replaceAll(/\s+/g, ' ').trim();
    if (title === '') invalidParams({ [`${here}.title`]: 'must not be empty' });
    return { start: millisecondsIn(item, 'time', here), title, line: at + 1 };
  });
}
