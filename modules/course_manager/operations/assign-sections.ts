import {
  type Call,
  Database,
  defineOperation,
  editPost,
  fail,
  type Post,
  Posts,
  type Term,
  TermLists,
  word,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { findPost, isAssignable } from '../find-post.ts';
import { langQuery, languagesOf } from '../languages.ts';
import { access, isId, SectionList, sectionTaxonomy, showSections, wholeNumber } from '../section.ts';

const mostIds = 500;
const modes = ['replace', 'add', 'remove'] as const;
type Mode = (typeof modes)[number];

export const assignSections = defineOperation({
  id: 'course_manager.assign-sections',
  method: 'PUT',
  path: 'svc/course-manager/v1/assign',
  summary: 'Put a page or post into sections, or take it out of them',
  access,
  contract: true,
  input: {
    query: yup.object(langQuery),
    body: yup.object({
      postId: wholeNumber().required(),
      sectionIds: yup.array().of(wholeNumber().required()).max(mostIds).required(),
      mode: word(...modes).default('replace'),
    }),
  },
  output: yup.object({
    ok: yup.boolean().required(),
    postId: yup.number().integer().required(),
    sectionIds: yup.array().of(yup.number().integer().required()).required(),
    sections: SectionList,
  }),
  errors: [
    'svccm_post_not_found',
    'svccm_bad_post_type',
    'rest_forbidden',
    'svccm_invalid_section_term',
    'svccm_too_many_sections',
  ],
  example: { body: { postId: 10, sectionIds: [2, 3], mode: 'replace' } },
  handle: ({ query, body }, call) => {
    const languages = languagesOf(call, query.lang);
    const { postId, mode } = body;
    const given = [...new Set(body.sectionIds)];
    return call.get(Database).transaction(async (trx) => {
      const post = await lockEditable(trx, call, postId);
      const { sectionIds, changed } = await assign(trx, call, post, given, mode);
      // In the transaction, so that the counts are those that it made.
      const sections = await showSections(call, changed, languages, trx);
      return { ok: true, postId, sectionIds, sections };
    });
  },
});

async function lockEditable(trx: Knex.Transaction, call: Call, postId: number): Promise<Post> {
  const found = await findPost(call, postId, (id) => call.get(Posts).lock(trx, call.site.blog_id, id));
  const { post, type } = found ?? fail('svccm_post_not_found');
  if (!isAssignable(post)) fail('svccm_bad_post_type');
  return editPost(call, post, type) ? post : fail('rest_forbidden');
}

const results: Readonly<Record<Mode, (present: readonly number[], given: readonly number[]) => number[]>> = {
  replace: (_present, given) => [...given],
  add: (present, given) => [...new Set([...present, ...given])],
  remove: (present, given) => present.filter((id) => !given.includes(id)),
};

interface Assigned {
  /** All that the post has now, in the order of the sections. */
  readonly sectionIds: readonly number[];
  /** Sections that it got or lost. */
  readonly changed: readonly Term[];
}

async function assign(
  trx: Knex.Transaction,
  call: Call,
  post: Post,
  given: readonly number[],
  mode: Mode,
): Promise<Assigned> {
  const posts = call.get(Posts);
  const sectionsOf = async (): Promise<readonly number[]> =>
    (await posts.terms([post.id], trx)).get(post.id)?.[sectionTaxonomy] ?? [];
  const hold = (ids: readonly number[]) =>
    call.get(TermLists).hold(trx, { blog_id: post.blog_id }, sectionTaxonomy, ids);
  const known = new Set((await hold(given.filter(isId))).map(({ id }) => id));
  const unknown = given.filter((id) => !known.has(id));
  if (unknown.length > 0) fail('svccm_invalid_section_term', { data: { ids: unknown } });
  const present = await sectionsOf();
  const wanted = results[mode](present, given);
  if (wanted.length > call.setting<number>('max_sections_per_post')) fail('svccm_too_many_sections');
  await posts.update(trx, call, post, { terms: { [sectionTaxonomy]: wanted } });
  const sectionIds = await sectionsOf();
  const differing = [
    ...present.filter((id) => !sectionIds.includes(id)),
    ...sectionIds.filter((id) => !present.includes(id)),
  ];
  return { sectionIds, changed: await hold(differing) };
}
