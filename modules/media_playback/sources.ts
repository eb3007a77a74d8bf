import type { Artifact, Attachment, Call } from '@lyceum/core';
import { audioFormats, type PlayedFormat, sizeOf, typeWith, videoFormats } from './formats.ts';
import { isPlayable } from './original.ts';

const wholeOrNull = (value: unknown): number | null => (Number.isInteger(value) ? Number(value) : null);

const numberOr = <T>(value: unknown, other: T): number | T => (typeof value === 'number' ? value : other);

function encoded(artifact: Artifact, { key, label, size }: PlayedFormat, duration: number | null) {
  const { meta, bytes, mime_type, path } = artifact;
  const seconds = numberOr(meta.duration, duration);
  const measured = seconds ? (bytes * 8) / seconds : 0;
  return {
    ...{ path, type: typeWith(mime_type, meta), size, format: key, label },
    ...{ width: wholeOrNull(meta.width), height: wholeOrNull(meta.height), bytes },
    bitrate: Math.round(numberOr(meta.bit_rate, measured)),
  };
}

function original({ path, mime_type, media_info, bytes, width, height }: Attachment, isVideo: boolean) {
  return {
    ...{
      path: path ?? '',
      type: typeWith(mime_type, media_info ?? {}),
      format: 'original',
      label: 'Original',
    },
    ...{ size: isVideo ? sizeOf(width, height) : null, width, height, bytes: bytes ?? 0 },
    bitrate: media_info?.bit_rate ?? 0,
  };
}

/** Single files that a browser plays, the one to be tried first at the top; `path` below `/files/`. */
export function playedSources(
  call: Call,
  attachment: Attachment,
  artifacts: readonly Artifact[],
  isVideo: boolean,
) {
  const wanted = isVideo ? videoFormats : audioFormats;
  const sources = wanted.flatMap((format) => {
    const artifact = artifacts.find(
      ({ folder, format_key }) => folder === 'sources' && format_key === format.key,
    );
    return artifact ? [encoded(artifact, format, attachment.duration)] : [];
  });
  const rule = call.setting<'fallback' | 'always' | 'never'>('include_original');
  const isWanted = rule === 'always' || (rule === 'fallback' && sources.length === 0);
  const isThere = attachment.path !== null && attachment.file_key !== null && isPlayable(attachment);
  return isWanted && isThere ? [...sources, original(attachment, isVideo)] : sources;
}
