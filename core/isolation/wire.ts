import { Readable } from 'node:stream';
import { isPlainObject } from '../api/schema.ts';

/** Something that stays where it is; the other side is given a number for it. */
export class Reference {
  readonly target: object;

  constructor(target: object) {
    this.target = target;
  }
}

/** What stands for something of the other side. */
type Mark = 'function' | 'transaction' | 'stream' | 'signal' | 'reference' | 'yours' | 'plain';

interface Marked {
  readonly $: Mark;
  readonly is: unknown;
}

/** What a side of a line does with values that are no data. */
export interface WireEnds {
  /** Keeps something of this side for the time of the conversation; its number. */
  hold(value: unknown): number;
  /** What this side holds under the number; throws when the conversation is over. */
  held(id: number): unknown;
  /** The number under which the other side holds what this value stands for. */
  standsFor(value: object): number | null;
  remoteFunction(id: number): unknown;
  remoteTransaction(id: number): unknown;
  remoteStream(id: number): unknown;
  remoteSignal(id: number, aborted: boolean): unknown;
  remoteReference(id: number): unknown;
}

const mark = ($: Mark, is: unknown): Marked => ({ $, is });

const isTransaction = (value: unknown): boolean =>
  typeof value === 'function' && (value as { isTransaction?: unknown }).isTransaction === true;

const isIterable = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value;

/** Data as it is; whatever else, as a number that the other side can ask for. */
export function encode(value: unknown, ends: WireEnds): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  if (value === null || value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value))
    return value;
  const theirs = ends.standsFor(value);
  if (theirs !== null) return mark('yours', theirs);
  if (isTransaction(value)) return mark('transaction', ends.hold(value));
  if (typeof value === 'function') return mark('function', ends.hold(value));
  if (value instanceof Reference) return mark('reference', ends.hold(value.target));
  if (isIterable(value)) {
    return mark('stream', ends.hold(value instanceof Readable ? value : Readable.from(value)));
  }
  if (value instanceof AbortSignal) return mark('signal', [ends.hold(value), value.aborted]);
  if (Array.isArray(value)) return value.map((member) => encode(member, ends));
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, encode(member, ends)]));
  if (value instanceof Set) return new Set([...value].map((member) => encode(member, ends)));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) copy[key] = encode(member, ends);
  return Object.hasOwn(copy, '$') ? mark('plain', copy) : copy;
}

export function decode(value: unknown, ends: WireEnds): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A Buffer arrives as the plain array of bytes that it is made of.
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map((member) => decode(member, ends));
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, decode(member, ends)]));
  if (value instanceof Set) return new Set([...value].map((member) => decode(member, ends)));
  if (!isPlainObject(value)) return value;
  if (Object.hasOwn(value, '$')) return decodeMarked(value as unknown as Marked, ends);
  return decodeFields(value, ends);
}

function decodeFields(value: Readonly<Record<string, unknown>>, ends: WireEnds): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) copy[key] = decode(member, ends);
  return copy;
}

function decodeMarked({ $, is }: Marked, ends: WireEnds): unknown {
  switch ($) {
    case 'plain':
      return decodeFields(is as Record<string, unknown>, ends);
    case 'yours':
      return ends.held(is as number);
    case 'function':
      return ends.remoteFunction(is as number);
    case 'transaction':
      return ends.remoteTransaction(is as number);
    case 'stream':
      return ends.remoteStream(is as number);
    case 'reference':
      return ends.remoteReference(is as number);
    case 'signal': {
      const [id, aborted] = is as [number, boolean];
      return ends.remoteSignal(id, aborted);
    }
  }
}
