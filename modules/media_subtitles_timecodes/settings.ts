import { canonicalTag, longestTag, type SettingDeclaration, yup } from '@lyceum/core';

/** Most that an upload may have, whatever a site says. */
export const mostTrackBytes = 10 * 1024 * 1024;

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  max_track_bytes: {
    title: 'Bytes that the text of a track may have',
    schema: yup.number().integer().min(1024).max(mostTrackBytes).required(),
    default: 2 * 1024 * 1024,
    scope: 'site',
  },
  max_tracks: {
    title: 'Tracks that an attachment may have',
    schema: yup.number().integer().min(1).max(200).required(),
    default: 64,
    scope: 'site',
  },
  default_srclang: {
    title: 'Language of tracks that name none; empty for that of the site',
    schema: yup
      .string()
      .max(longestTag)
      .defined()
      .test(
        'language',
        'must be a language tag such as pt-BR',
        (tag) => tag === '' || canonicalTag(tag ?? '') !== null,
      ),
    default: '',
    scope: 'site',
  },
};
