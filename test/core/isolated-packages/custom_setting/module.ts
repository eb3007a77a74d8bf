import { defineModule, yup } from '@lyceum/core';

export default defineModule({
  id: 'cell_custom_setting',
  title: 'A setting with a regular expression',
  settings: { word: { schema: yup.string().matches(/^(a+)+$/), default: null, scope: 'site' } },
});
