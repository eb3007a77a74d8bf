import { defineOperation, record, reply, yup } from '@lyceum/core';
import { Catalogues } from '../../locale/catalogues.ts';
import { hyphened } from '../../locale/language-tag.ts';
import { inLanguage, tag, wantedTag } from './fields.ts';

const context = () =>
  yup
    .string()
    .matches(/^[a-z][a-z0-9-]{0,63}$/, 'must have 1 to 64 small letters, digits and hyphens, a letter first');

export const getTranslation = defineOperation({
  id: 'svctutor_form.get-translation',
  method: 'GET',
  path: 'svctutor-forms/i18n/v1/translation',
  summary: 'Texts of a context in a language, as gettext JSON, from all modules that are on',
  access: {
    public: 'Runners of published forms need it, whoever fills them in; texts of modules are no secret.',
  },
  contract: true,
  input: { query: yup.object({ language: tag(), l: tag(), context: context(), c: context() }) },
  output: record().required(),
  handle: async ({ query }, call) => {
    const wanted = wantedTag(call, query.language ?? query.l);
    const name = query.context ?? query.c ?? 'svctutor-form';
    const found = await call.get(Catalogues).find(call.state, name, wanted);
    return reply(found?.catalogue ?? {}, inLanguage(found?.language ?? hyphened(wanted)));
  },
});
