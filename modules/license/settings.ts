import { type SettingDeclaration, yup } from '@lyceum/core';
import { readPublicKey } from './offline/public-key.ts';

const longestUrl = 2_000;
const mostKeys = 20;

function isServerUrl(text: string | undefined): boolean {
  if (text === undefined || text === '') return true;
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  server_url: {
    title: 'Address of the license server; empty: signed keys only',
    schema: yup
      .string()
      .max(longestUrl)
      .defined()
      .test('url', 'must be an http or https URL, or empty', isServerUrl),
    default: '',
    scope: 'network',
    called: true,
  },
  public_keys: {
    title: 'Ed25519 keys that verify signed license keys, besides those of the products',
    schema: yup
      .array()
      .of(
        yup
          .string()
          .max(200)
          .required()
          .test(
            'key',
            'must be an Ed25519 public key: 64 hex digits, or base64 of SPKI DER',
            (text) => readPublicKey(text) !== null,
          ),
      )
      .max(mostKeys)
      .required(),
    default: [],
    scope: 'network',
  },
  check_interval_hours: {
    title: 'Hours between two checks of a license',
    schema: yup.number().integer().min(1).max(720).required(),
    default: 24,
    scope: 'network',
  },
  grace_days: {
    title: 'Days that a license holds while its server cannot be reached',
    schema: yup.number().integer().min(0).max(90).required(),
    default: 14,
    scope: 'network',
  },
  allow_site_licenses: {
    title: 'Sites may have licenses of their own',
    schema: yup.boolean().required(),
    default: true,
    scope: 'network',
  },
};

/** The settings as they are in force. */
export interface LicenseSettings {
  readonly server_url: string;
  readonly public_keys: readonly string[];
  readonly check_interval_hours: number;
  readonly grace_days: number;
}
