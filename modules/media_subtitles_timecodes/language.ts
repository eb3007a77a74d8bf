import { canonicalTag, type TrackKind } from '@lyceum/core';

/** Longest label that is taken. */
export const longestLabel = 100;

/** What a track is called whose author gave no label: its language in that language, or its kind. */
export function standardLabel(kind: TrackKind, srclang: string): string {
  if (kind === 'chapters') return 'Chapters';
  if (kind === 'metadata') return 'Metadata';
  const name = new Intl.DisplayNames([srclang], { type: 'language', fallback: 'code' }).of(srclang);
  return (name ?? srclang).slice(0, longestLabel);
}

/** A label in one line, without characters that steer terminals and texts. */
export const cleanLabel = (label: string): string => label.replaceAll(/\p{Cc}/gu, '').trim();

/** The language in a name such as `lecture.pt-BR.srt`; null when it names none. */
export function tagInName(name: string): string | null {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const parts = base.split('.');
  const tag = parts.length > 2 ? (parts.at(-2) ?? '') : '';
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) ? canonicalTag(tag) : null;
}
