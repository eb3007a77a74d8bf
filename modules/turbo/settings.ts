import { type Call, type SettingDeclaration, word, yup } from '@lyceum/core';

const mebibyte = 1024 * 1024;

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  xapi_actor_ifi: {
    title: 'What names learners in statements: their address, its SHA-1, or their account here',
    schema: word('mbox', 'mbox_sha1sum', 'account').required(),
    default: 'mbox',
    scope: 'site',
  },
  xapi_actor_name: {
    title: 'Say the name of learners in statements',
    schema: yup.boolean().required(),
    default: true,
    scope: 'site',
  },
  static_max_files: {
    title: 'Files that a static page may have',
    schema: yup.number().integer().min(1).max(2000).required(),
    default: 500,
    scope: 'network',
  },
  static_max_bytes: {
    title: 'Bytes that the files of a static page may have together',
    schema: yup.number().integer().min(1).max(Number.MAX_SAFE_INTEGER).required(),
    default: 100 * mebibyte,
    scope: 'network',
  },
};

/** How large a static page may be. */
export interface StaticLimits {
  readonly files: number;
  readonly bytes: number;
}

export const limitsOf = (call: Call): StaticLimits => ({
  files: call.setting('static_max_files'),
  bytes: call.setting('static_max_bytes'),
});
