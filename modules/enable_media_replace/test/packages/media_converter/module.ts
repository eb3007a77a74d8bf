import { defineModule, yup } from '@lyceum/core';

/** A module that says how large films and sounds may be. */
export default defineModule({
  id: 'media_converter',
  title: 'Limit of films',
  defaultEnabled: true,
  settings: {
    max_upload_bytes: { schema: yup.number().integer().required(), default: 100_000, scope: 'network' },
  },
});
