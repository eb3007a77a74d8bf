import { defineOperation, reply, yup } from '@lyceum/core';
import { LocaleRecord, localeOf, nearestLocale } from '../../locale/locale.ts';
import { inLanguage, tag, wantedTag } from './fields.ts';

export const getLocale = defineOperation({
  id: 'svctutor_form.get-locale',
  method: 'GET',
  path: 'svctutor-forms/i18n/v1/locale',
  summary:
    'Names of days and months, patterns of dates and signs of numbers of a locale, or of the nearest one',
  access: {
    public: 'Runners of published forms need it, whoever fills them in; it says nothing of the site.',
  },
  contract: true,
  input: { query: yup.object({ locale: tag(), l: tag() }) },
  output: LocaleRecord,
  handle: ({ query }, call) => {
    const locale = nearestLocale(wantedTag(call, query.locale ?? query.l));
    return reply(localeOf(locale), inLanguage(locale));
  },
});
