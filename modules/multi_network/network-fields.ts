import { yup } from '@lyceum/core';

/** A network as the API shows it. */
export const Network = yup.object({
  network_id: yup.number().integer().required(),
  domain: yup.string().required(),
  path: yup.string().required(),
  site_id: yup.number().integer().required(),
  site_name: yup.string().defined(),
  network_name: yup.string().defined(),
  admin_url: yup.string().required(),
  site_url: yup.string().required(),
});

/** What is copied of the source unless the request says otherwise. */
export const standardOptions: readonly string[] = [
  'admin_email',
  'allowedthemes',
  'banned_email_domains',
  'first_post',
  'limited_email_domains',
  'site_admins',
  'upload_filetypes',
  'max_upload_bytes',
  'upload_space_bytes',
  'welcome_email',
];
