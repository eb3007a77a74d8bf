import { type Artifact, type Call, FileLinks, word, yup } from '@lyceum/core';

/** An attachment has one: a picture of its own among its thumbnails, so that it outlives where it came from. */
export const posterKey = 'poster';

export const posterSources = ['time', 'still', 'attachment'] as const;
export type PosterSource = (typeof posterSources)[number];

export const Poster = yup.object({
  url: yup.string().required(),
  source: word(...posterSources).required(),
  time: yup.number().nullable().defined(),
});

export function presentPoster(call: Call, poster: Artifact | undefined) {
  if (!poster) return null;
  const { source, time } = poster.meta as { source?: PosterSource; time?: number | null };
  const url = call.get(FileLinks).plain(call.site, poster.path);
  return { url, source: source ?? 'attachment', time: time ?? null };
}
