import { time, yup } from '@lyceum/core';
import { type Bot, type Kind, type SecretName, secretNames } from './bot.ts';
import { wordsOf } from './words.ts';

const common = {
  id: yup.number().integer().required(),
  kind: yup.string().required(),
  name: yup.string().required(),
  enabled: yup.boolean().required(),
  callback_url: yup.string().required(),
  greeting: yup.string().defined(),
  fallback_text: yup.string().defined(),
  lang: yup.string().required(),
  created_at: time().required(),
  modified_at: time().required(),
};

const isSet = () => yup.boolean().required();

const own = {
  messenger: { token_set: isSet(), secret_token_set: isSet(), api_base_url: yup.string().required() },
  social: {
    ...{ access_token_set: isSet(), secret_set: isSet(), group_id: yup.number().integer().required() },
    ...{ confirmation: yup.string().required(), api_base_url: yup.string().required() },
    api_version: yup.string().required(),
  },
  chat_widget: {
    ...{ secret_set: isSet(), provider_token_set: isSet() },
    allowed_origins: yup.array().of(yup.string().defined()).required(),
    delivery: yup.string().required(),
    callback_base_url: yup.string().nullable().defined(),
  },
} as const;

/** A bot as administrators see it, without anything that is secret. */
export const botRecord = (kind: Kind) => yup.object({ ...common, ...own[kind] } as yup.ObjectShape);

/** The same with a secret that the server made: told this once. */
export const newBotRecord = (kind: Kind) =>
  yup.object({
    ...common,
    ...own[kind],
    ...(kind === 'social' ? {} : { [madeSecret[kind]]: yup.string() }),
  } as yup.ObjectShape);

/** The secret that the server makes where nobody gives one. */
export const madeSecret = { messenger: 'secret_token', chat_widget: 'secret' } as const;

/** What else must be known to show a bot. */
export interface Shown {
  readonly callbackUrl: string;
  readonly siteLang: string;
}

export function presentBot(bot: Bot, { callbackUrl, siteLang }: Shown): Readonly<Record<string, unknown>> {
  const { configuration } = bot;
  const names: readonly SecretName[] = secretNames[bot.kind];
  const secrets = names.map((name) => [`${name}_set`, configuration[name] !== undefined]);
  const open = Object.entries(configuration).filter(([name]) => !names.some((secret) => secret === name));
  return {
    ...Object.fromEntries(open),
    ...bot,
    ...wordsOf(bot, siteLang),
    lang: configuration.lang ?? siteLang,
    callback_url: callbackUrl,
    ...Object.fromEntries(secrets),
  };
}
