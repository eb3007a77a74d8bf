import {
  audit,
  type Call,
  Database,
  defineOperation,
  fail,
  invalidParams,
  type Term,
  Terms,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { type Languages, langQuery, languagesOf, renamed, shownName } from '../languages.ts';
import { access, isId, SectionRecord, sectionTaxonomy, showSections, wholeNumber } from '../section.ts';
import { cleanName, longestName } from '../section-name.ts';

export const renameSection = defineOperation({
  id: 'course_manager.rename-section',
  method: 'PATCH',
  path: 'svc/course-manager/v1/sections/{id}',
  summary: 'Rename a section in the current language; other languages keep their names',
  access,
  contract: true,
  input: {
    params: yup.object({ id: wholeNumber().required() }),
    query: yup.object(langQuery),
    body: yup.object({ name: yup.string().defined() }),
  },
  output: SectionRecord,
  errors: ['svcsf_empty_name', 'svcsf_bad_taxonomy', 'svcsf_not_found'],
  example: {
    body: { name: 'Introduction' },
    answer: { id: 7, name: 'Introduction', slug: 'intro', count: 3, order: 1, icon: '', courseId: null },
  },
  handle: async ({ params, query, body }, call) => {
    const languages = languagesOf(call, query.lang);
    const name = cleanName(body.name);
    if (name === '') fail('svcsf_empty_name');
    if (name.length > longestName) invalidParams({ name: `must have at most ${longestName} characters` });
    const db = call.get(Database);
    const section = await db.transaction((trx) => rename(trx, call, params.id, name, languages));
    const [shown] = await showSections(call, [section], languages, db.knex);
    return shown;
  },
});

/** What is so already leaves no trace. */
async function rename(
  trx: Knex.Transaction,
  call: Call,
  id: number,
  name: string,
  languages: Languages,
): Promise<Term> {
  const owner = { blog_id: call.site.blog_id };
  // Locked, as the names of the other languages are written along.
  const before = (isId(id) ? await call.get(Terms).lock(trx, owner, id) : null) ?? fail('svcsf_not_found');
  if (before.taxonomy !== sectionTaxonomy) fail('svcsf_bad_taxonomy');
  const changes = renamed(before, name, languages);
  const after = await call.get(Terms).update(trx, owner, [sectionTaxonomy], id, changes);
  const from = shownName(before, languages);
  if (JSON.stringify([before.name, before.names]) !== JSON.stringify([after.name, after.names])) {
    await audit(trx, call, {
      module: 'course_manager',
      action: 'course_manager.rename',
      subject: `section:${id}`,
      from: { lang: languages.current, name: from },
      to: { lang: languages.current, name },
    });
  }
  return after;
}
