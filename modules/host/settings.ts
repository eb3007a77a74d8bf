import { isAllowEntry, type SettingDeclaration, type SettingRule, yup } from '@lyceum/core';

type Settings = Readonly<Record<string, SettingDeclaration>>;

const isTimeZone = (value: string | undefined): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return value !== undefined;
  } catch {
    return false;
  }
};

function isOrigin(value: string | undefined): boolean {
  const url = URL.parse(value ?? '');
  // `URL` takes `https://*.example`, which no browser sends.
  return (
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === value && !value.includes('*')
  );
}

const domainForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
const languageForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Empty as long as there is none. */
const email = () => yup.string().email().max(254).defined();
const texts = (member: yup.StringSchema<string>, most: number) => yup.array().of(member).max(most).required();
const domains = () => texts(yup.string().max(253).matches(domainForm).required(), 1000);
const days = () => yup.number().integer().min(1).max(36_500).required();
const bytes = () => yup.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).required();

/** Settings of a site: kept as its options, title and description in its row. */
const siteSettings: Settings = {
  title: {
    schema: yup.string().min(1).max(200).required(),
    default: '',
    scope: 'site',
    stored: { siteColumn: 'title' },
  },
  description: {
    schema: yup.string().max(1000).defined(),
    default: '',
    scope: 'site',
    stored: { siteColumn: 'description' },
  },
  admin_email: { schema: email(), default: '', scope: 'site', stored: { option: 'admin_email' } },
  timezone: {
    schema: yup.string().max(60).required().test('timezone', 'must be an IANA time zone', isTimeZone),
    default: 'UTC',
    scope: 'site',
    stored: { option: 'timezone' },
  },
  date_format: {
    schema: yup.string().min(1).max(50).required(),
    default: 'd.m.Y',
    scope: 'site',
    stored: { option: 'date_format' },
  },
  default_lang: {
    schema: yup.string().max(35).matches(languageForm).required(),
    default: 'en',
    scope: 'site',
    stored: { option: 'default_lang' },
  },
  languages: {
    schema: texts(yup.string().max(35).matches(languageForm).required(), 50).min(1),
    default: ['en'],
    scope: 'site',
    stored: { option: 'languages' },
  },
  allowed_origins: {
    schema: texts(yup.string().max(300).required().test('origin', 'must be an exact origin', isOrigin), 50),
    default: [],
    scope: 'site',
    stored: { option: 'allowed_origins' },
  },
};

const standardFileTypes =
  'jpg jpeg png gif webp avif pdf txt csv mp3 m4a ogg opus wav flac mp4 m4v mov webm mkv avi vtt srt zip docx xlsx pptx';

/**
 * Settings of a network, kept as its options. `admin_email` is a name of both scopes, so the network's is
 * declared under `network_admin_email` and shown under its own name by the settings routes.
 */
const networkSettings: Settings = {
  site_name: {
    schema: yup.string().min(1).max(200).required(),
    default: 'Lyceum',
    scope: 'network',
    stored: { option: 'site_name' },
  },
  network_admin_email: { schema: email(), default: '', scope: 'network', stored: { option: 'admin_email' } },
  upload_filetypes: {
    schema: texts(
      yup
        .string()
        .matches(/^[a-z0-9]{1,10}$/)
        .required(),
      200,
    ),
    default: standardFileTypes.split(' '),
    scope: 'network',
    stored: { option: 'upload_filetypes' },
  },
  max_upload_bytes: {
    schema: bytes().min(1),
    default: 2 * 1024 ** 3,
    scope: 'network',
    stored: { option: 'max_upload_bytes' },
  },
  upload_space_bytes: {
    schema: bytes(),
    default: 0,
    scope: 'network',
    stored: { option: 'upload_space_bytes' },
  },
  banned_email_domains: {
    schema: domains(),
    default: [],
    scope: 'network',
    stored: { option: 'banned_email_domains' },
  },
  limited_email_domains: {
    schema: domains(),
    default: [],
    scope: 'network',
    stored: { option: 'limited_email_domains' },
  },
  allowedthemes: {
    schema: texts(yup.string().max(100).required(), 1000),
    default: [],
    scope: 'network',
    stored: { option: 'allowedthemes' },
  },
  first_post: {
    schema: yup.string().max(1_000_000).defined(),
    default: '',
    scope: 'network',
    stored: { option: 'first_post' },
  },
  welcome_email: {
    schema: yup.string().max(100_000).defined(),
    default: '',
    scope: 'network',
    stored: { option: 'welcome_email' },
  },
  outbound_allow: {
    schema: texts(
      yup
        .string()
        .max(300)
        .required()
        .test('place', 'must be a host, host:port or CIDR', (value) => isAllowEntry(value ?? '')),
      200,
    ),
    default: [],
    scope: 'network',
    stored: { option: 'outbound_allow' },
  },
  job_retention_days: {
    schema: days(),
    default: 30,
    scope: 'network',
    stored: { option: 'job_retention_days' },
  },
  audit_retention_days: {
    schema: days(),
    default: 365,
    scope: 'network',
    stored: { option: 'audit_retention_days' },
  },
};

export const settings: Settings = { ...siteSettings, ...networkSettings };

export const settingRules: readonly SettingRule[] = [
  {
    of: ['default_lang', 'languages'],
    problem: ({ default_lang, languages }) =>
      (languages as readonly unknown[]).includes(default_lang) ? null : 'languages must hold default_lang',
  },
];
