import { audit, type Call, Database, defineOperation, fail, type Term, TermLists, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import { langQuery, languagesOf } from '../languages.ts';
import { access, SectionList, sectionTaxonomy, showSections, wholeNumber } from '../section.ts';

/** More than twice the sections that a site is meant to have. */
const mostIds = 5_000;

const isDistinct = (ids: readonly unknown[] | undefined): boolean =>
  ids === undefined || new Set(ids).size === ids.length;

export const reorderSections = defineOperation({
  id: 'course_manager.reorder-sections',
  method: 'PUT',
  path: 'svc/course-manager/v1/reorder',
  summary: 'Put all sections of the site into this order',
  access,
  contract: true,
  input: {
    query: yup.object(langQuery),
    body: yup.object({
      order: yup
        .array()
        .of(wholeNumber().required())
        .max(mostIds)
        .required()
        .test('distinct', 'must not name a section twice', isDistinct),
    }),
  },
  output: yup.object({ ok: yup.boolean().required(), sections: SectionList }),
  errors: ['svccm_invalid_section_term', 'svccm_order_conflict'],
  example: { body: { order: [3, 1, 2] } },
  handle: async ({ query, body }, call) => {
    const languages = languagesOf(call, query.lang);
    const db = call.get(Database);
    const sections = await db.transaction((trx) => reorder(trx, call, body.order));
    return { ok: true, sections: await showSections(call, sections, languages, db.knex) };
  },
});

/** The sections in their new order. What is so already leaves no trace. */
async function reorder(trx: Knex.Transaction, call: Call, order: readonly number[]): Promise<Term[]> {
  const lists = call.get(TermLists);
  const sections = await lists.lock(trx, { blog_id: call.site.blog_id }, sectionTaxonomy);
  const byId = new Map(sections.map((section) => [section.id, section]));
  const unknown = order.filter((id) => !byId.has(id));
  if (unknown.length > 0) fail('svccm_invalid_section_term', { data: { ids: unknown } });
  const named = new Set(order);
  const missing = sections.map(({ id }) => id).filter((id) => !named.has(id));
  if (missing.length > 0) fail('svccm_order_conflict', { data: { missing } });
  const before = [...sections].sort((one, other) => one.order - other.order || one.id - other.id);
  const after = order.map((id, at) => ({ ...(byId.get(id) as Term), order: at + 1 }));
  await lists.sort(trx, order);
  const from = before.map(({ id }) => id);
  if (from.some((id, at) => id !== order[at])) {
    await audit(trx, call, {
      module: 'course_manager',
      action: 'course_manager.reorder',
      subject: `site:${call.site.blog_id}`,
      from,
      to: order,
    });
  }
  return after;
}
