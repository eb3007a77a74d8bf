import { defineModule, yup } from '@lyceum/core';

export default defineModule({
  id: 'cell_rules',
  title: 'A rule between settings',
  settings: { word: { schema: yup.string(), default: null, scope: 'site' } },
  settingRules: [{ of: ['word'], problem: () => null }],
});
