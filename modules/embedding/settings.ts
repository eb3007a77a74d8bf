import { type SettingDeclaration, type SettingRule, yup } from '@lyceum/core';

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most);

const postType = yup
  .string()
  .matches(/^[a-z][a-z0-9_-]{0,40}$/)
  .required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  provider: {
    title: 'Who makes vectors',
    schema: yup.string().oneOf(['builtin', 'openai']).required(),
    default: 'builtin',
    scope: 'site',
  },
  provider_url: {
    title: 'Address of an OpenAI-compatible server, without /embeddings',
    schema: yup.string().max(2_000).defined(),
    default: '',
    scope: 'site',
    called: true,
  },
  provider_key: {
    title: 'Key that the server asks for',
    schema: yup.string().max(1_000).nullable(),
    default: null,
    scope: 'site',
    secret: true,
  },
  model: {
    title: 'Model of the server',
    schema: yup.string().min(1).max(100).required(),
    default: 'text-embedding-3-small',
    scope: 'site',
  },
  dimensions: {
    title: 'Length of the vectors that is asked for',
    schema: whole(64, 4_096).nullable(),
    default: null,
    scope: 'site',
  },
  post_types: {
    title: 'Types of posts whose texts are cut',
    schema: yup.array().of(postType).max(50).required(),
    default: ['page', 'post', 'course'],
    scope: 'site',
  },
  chunk_max_tokens: {
    title: 'Longest chunk, in tokens',
    schema: whole(64, 2_000).required(),
    default: 400,
    scope: 'site',
  },
  chunk_overlap_tokens: {
    title: 'What a chunk repeats of the one before, in tokens',
    schema: whole(0, 200).required(),
    default: 40,
    scope: 'site',
  },
  auto_sync: {
    title: 'Posts are synced when they change',
    schema: yup.boolean().required(),
    default: true,
    scope: 'site',
  },
  max_chunks: {
    title: 'Chunks that a site may have',
    schema: whole(100, 1_000_000).required(),
    default: 100_000,
    scope: 'network',
  },
};

export const settingRules: readonly SettingRule[] = [
  {
    of: ['chunk_overlap_tokens', 'chunk_max_tokens'],
    problem: ({ chunk_overlap_tokens, chunk_max_tokens }) =>
      Number(chunk_overlap_tokens) * 4 <= Number(chunk_max_tokens)
        ? null
        : 'chunk_overlap_tokens must be at most a quarter of chunk_max_tokens',
  },
];
