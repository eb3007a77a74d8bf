import { canonicalTag, yup } from '@lyceum/core';
import type { Kind } from './bot.ts';

const longestUrl = 2_000;
const longestText = 1_000;
const mostOrigins = 50;

const header = (least: number, most: number) =>
  yup
    .string()
    .min(least)
    .max(most)
    .matches(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

/** The origin of pages as a browser writes it. */
function isOrigin(text: string | undefined): boolean {
  if (text === undefined) return true;
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === text;
}

const isTag = (text: string | null | undefined): boolean =>
  text === null || text === undefined || canonicalTag(text) !== null;

/** What every bot has. Texts that are empty or null are those of the bot's language. */
const common = {
  name: yup.string().min(1).max(100).matches(/\S/),
  enabled: yup.boolean(),
  greeting: yup.string().max(longestText).nullable(),
  fallback_text: yup.string().max(longestText).nullable(),
  lang: yup.string().max(35).nullable().test('lang', 'must be a language tag, as "en"', isTag),
};

/** An address that the host is to call. Whether it may be called is for the site to say. */
const base = () => yup.string().min(1).max(longestUrl);

const own = {
  messenger: {
    token: yup
      .string()
      .max(256)
      .matches(/^[0-9]+:[A-Za-z0-9_-]{20,}$/),
    secret_token: yup.string().matches(/^[A-Za-z0-9_-]{16,256}$/),
    api_base_url: base(),
  },
  social: {
    access_token: header(1, 1_000),
    group_id: yup.number().integer().min(1).max(Number.MAX_SAFE_INTEGER),
    confirmation: yup.string().min(1).max(64),
    secret: yup.string().min(1).max(50),
    api_base_url: base(),
    api_version: yup.string().matches(/^\d{1,2}\.\d{1,3}$/),
  },
  chat_widget: {
    secret: header(16, 200),
    allowed_origins: yup
      .array()
      .of(
        yup
          .string()
          .max(300)
          .required()
          .test('origin', 'must be an origin, as "https://a.example"', isOrigin),
      )
      .max(mostOrigins),
    delivery: yup.string().oneOf(['response', 'callback'] as const),
    callback_base_url: base().nullable(),
    provider_token: header(1, 500),
  },
} as const;

const required: Readonly<Record<Kind, readonly string[]>> = {
  messenger: ['name', 'token'],
  social: ['name', 'access_token', 'group_id', 'confirmation', 'secret'],
  chat_widget: ['name'],
};

type Fields = yup.ObjectShape;

/** What may be changed of a bot of this kind: all of it, or some. */
export const changeFields = (kind: Kind) => yup.object({ ...common, ...own[kind] } as Fields);

/** What a new one is made of. */
export function newFields(kind: Kind) {
  const needed = required[kind];
  const all: Readonly<Record<string, yup.AnySchema>> = { ...common, ...own[kind] };
  const fields = Object.entries(all).map(([name, schema]) => [
    name,
    needed.includes(name) ? schema.required() : schema,
  ]);
  return yup.object(Object.fromEntries(fields) as Fields);
}
