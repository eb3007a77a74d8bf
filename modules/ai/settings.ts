import { type SettingDeclaration, yup } from '@lyceum/core';

const longestUrl = 2_000;
const longestText = 500;

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

/** Characters that a header can carry: printable ones, and none that a client would trim off. */
const headerText = (least: number, most: number) =>
  yup
    .string()
    .min(least)
    .max(most)
    .matches(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
    .required();

/** Texts that the module has words of its own for; empty means these. */
const words = (title: string, most: number): SettingDeclaration => ({
  title: `${title}; empty: the built-in one of the language`,
  schema: yup.string().max(most).defined(),
  default: '',
  scope: 'site',
});

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  chat_secret: {
    title: 'Secret that the backend of the chat sends; without it nobody can ask',
    schema: headerText(16, 200),
    default: null,
    scope: 'site',
    secret: true,
  },
  provider: {
    title: 'Who answers: the sources word for word, or a language model',
    schema: yup.string().oneOf(['builtin', 'openai']).required(),
    default: 'builtin',
    scope: 'site',
  },
  provider_url: {
    title: 'Address of an OpenAI-compatible server, up to /chat/completions',
    schema: yup.string().max(longestUrl).defined(),
    default: '',
    scope: 'site',
    called: true,
  },
  provider_key: {
    title: 'Key of that server',
    schema: headerText(1, 500),
    default: null,
    scope: 'site',
    secret: true,
  },
  model: {
    title: 'Name of the language model',
    schema: yup.string().max(100).required(),
    default: 'gpt-4o-mini',
    scope: 'site',
  },
  temperature: {
    title: 'How freely the model chooses its words',
    schema: yup.number().min(0).max(2).required(),
    default: 0.2,
    scope: 'site',
  },
  max_tokens: {
    title: 'Tokens of an answer',
    schema: whole(50, 8_000),
    default: 800,
    scope: 'site',
  },
  system_prompt: words('What the model is told of its task', 8_000),
  top_k: {
    title: 'Chunks of texts that a question is answered from',
    schema: whole(1, 20),
    default: 6,
    scope: 'site',
  },
  context_tokens: {
    title: 'Tokens of these that the model is given',
    schema: whole(200, 100_000),
    default: 3_000,
    scope: 'site',
  },
  history_messages: {
    title: 'Earlier messages of a conversation that the model is given',
    schema: whole(0, 50),
    default: 10,
    scope: 'site',
  },
  answer_without_sources: {
    title: 'The model answers also where the site has no text for a question',
    schema: yup.boolean().required(),
    default: false,
    scope: 'site',
  },
  no_answer_text: words('What is said where nothing was found', longestText),
  title: words('Title of the chat', longestText),
  greeting: words('First words of the chat', longestText),
  rate_per_minute: {
    title: 'Questions that the site takes in a minute',
    schema: whole(1, 10_000),
    default: 60,
    scope: 'site',
  },
  retention_days: {
    title: 'Days without a message after which a conversation is deleted',
    schema: whole(1, 3_650),
    default: 90,
    scope: 'site',
  },
};
