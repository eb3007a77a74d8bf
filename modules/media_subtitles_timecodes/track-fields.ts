import {
  type Call,
  canonicalTag,
  fail,
  HostSettings,
  invalidParams,
  longestTag,
  trackKinds,
  word,
  yup,
} from '@lyceum/core';
import { longestLabel } from './language.ts';
import { formats } from './text/parse-content.ts';

const seconds = { type: 'number', minimum: 0 };
const text = { type: 'string' };

const objects = (required: readonly string[], properties: object) => ({
  type: 'array',
  items: { type: 'object', required, properties },
});

/** What is said of a track beside its content. */
export const describing = {
  kind: word(...trackKinds),
  srclang: yup.string().max(longestTag),
  label: yup.string().max(longestLabel),
  default: yup.boolean(),
};

/** The content in one of its three forms. Items of lists are checked by hand: a schema would need seconds. */
export const contentFields = {
  format: word(...formats),
  content: yup.string(),
  cues: yup.mixed<object>().meta({
    jsonSchema: objects(['start', 'end', 'text'], {
      start: seconds,
      end: seconds,
      text,
      id: text,
      settings: text,
    }),
  }),
  timecodes: yup
    .mixed<object>()
    .meta({ jsonSchema: objects(['time', 'title'], { time: seconds, title: text }) }),
};

export const trackFields = { ...describing, ...contentFields };

/** A track as a client describes it; absent fields are as they were, or standard for a new one. */
export type TrackInput = yup.InferType<yup.ObjectSchema<yup.AnyObject>> & {
  readonly kind?: (typeof trackKinds)[number] | undefined;
  readonly srclang?: string | undefined;
  readonly label?: string | undefined;
  readonly default?: boolean | undefined;
  readonly format?: (typeof formats)[number] | undefined;
  readonly content?: string | undefined;
  readonly cues?: object | undefined;
  readonly timecodes?: object | undefined;
};

const contentNames = ['content', 'cues', 'timecodes'] as const;

/**
 * The one form in which the content is given, null for none.
 * @param at of the track in a list, to be put before names; else empty
 */
export function contentForm(input: TrackInput, at: string): (typeof contentNames)[number] | null {
  const [first, second] = contentNames.filter((name) => input[name] !== undefined);
  if (second) invalidParams({ [`${at}${second}`]: 'must not be given beside another form of the content' });
  return first ?? null;
}

/** Throws `rest_missing_callback_param` where a new track has no content. */
export function needContent(input: TrackInput, at: string): void {
  if (contentForm(input, at) !== null) return;
  fail('rest_missing_callback_param', { data: { params: [`${at}content`] } });
}

/** The tag in its usual case. @throws `rest_invalid_param` */
export function checkedTag(tag: string | undefined, name: string): string | undefined {
  if (tag === undefined || tag === '') return tag;
  return canonicalTag(tag) ?? invalidParams({ [name]: 'must be a language tag such as pt-BR' });
}

/** The language of a track that names none. */
export function standardTag(call: Call): string {
  const own = call.setting<string>('default_srclang');
  const tag = own === '' ? call.get(HostSettings).value<string>(call.state, 'default_lang') : own;
  return canonicalTag(tag) ?? 'en';
}
