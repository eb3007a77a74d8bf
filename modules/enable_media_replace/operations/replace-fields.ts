import { type Call, fail, invalidParams, moment, word, yup } from '@lyceum/core';
import type { ReplacementWish } from '../replacement.ts';
import { type ReplaceType, replaceTypes, type TimestampChoice, timestampChoices } from '../settings.ts';

/** The text fields of the form. */
export const ReplaceFields = yup.object({
  replace_type: word(...replaceTypes),
  timestamp_replace: yup.number().oneOf(timestampChoices),
  custom_date: moment(),
  title: yup.string().max(200),
  remove_artifacts: yup.boolean().default(false),
  blog_id: yup.number().integer(),
});

/** A clock that goes before ours, and the far side of the date line. */
const mostAheadMs = 24 * 60 * 60 * 1000;

/**
 * The fields with the site's defaults in them.
 * @throws `rest_missing_callback_param`, `rest_invalid_param` naming `custom_date`
 */
export function wishOf(call: Call, fields: yup.InferType<typeof ReplaceFields>): ReplacementWish {
  const given = fields.timestamp_replace as TimestampChoice | undefined;
  const timestamps = given ?? call.setting<TimestampChoice>('default_timestamp_replace');
  const customDate = timestamps === 3 ? fields.custom_date : undefined;
  if (timestamps === 3 && customDate === undefined) {
    fail('rest_missing_callback_param', {
      message: 'Missing parameter(s): custom_date',
      data: { params: ['custom_date'] },
    });
  }
  if (customDate !== undefined && Date.parse(customDate) > call.now().getTime() + mostAheadMs) {
    invalidParams({ custom_date: 'must not be later than tomorrow' });
  }
  return {
    replaceType: fields.replace_type ?? call.setting<ReplaceType>('default_replace_type'),
    timestamps,
    customDate,
    title: fields.title,
    removeArtifacts: fields.remove_artifacts,
  };
}
