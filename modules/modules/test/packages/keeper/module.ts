import { defineModule, defineOperation, installed, not, settingIs, yup } from '@lyceum/core';

export default defineModule({
  id: 'test_keeper',
  title: 'Keeper',
  description: 'Keeps settings, and refuses to be switched off.',
  namespaces: ['test/keeper/v1'],
  scopes: ['network'],
  defaultEnabled: true,
  settings: {
    open: { schema: yup.boolean().required(), default: false, scope: 'site' },
    limit: { schema: yup.number().integer().min(1).max(50).required(), default: 10, scope: 'network' },
    api_key: { schema: yup.string().max(100), default: null, scope: 'site', secret: true },
  },
  conditions: [{ id: 'no_rival', title: 'The rival is not installed', when: not(installed('test_rival')) }],
  operations: [
    defineOperation({
      id: 'test_keeper.read',
      method: 'GET',
      path: 'test/keeper/v1/read',
      summary: 'Shows what the handler sees',
      access: { public: 'A test asks.' },
      when: settingIs('open', true),
      output: yup.object({
        limit: yup.number().required(),
        api_key: yup.string().nullable().defined(),
      }),
      handle: (_input, call) => ({ limit: call.setting('limit'), api_key: call.setting('api_key') }),
    }),
  ],
  hooks: {
    onDisabled: () => {
      throw new Error('The keeper stays.');
    },
  },
});
