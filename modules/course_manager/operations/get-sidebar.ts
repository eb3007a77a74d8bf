import { type Call, Database, defineOperation, editPost, fail, Posts, TermLists, yup } from '@lyceum/core';
import { coursesOf } from '../courses.ts';
import { findPost, isAssignable } from '../find-post.ts';
import { langQuery, languagesOf } from '../languages.ts';
import { access, SectionList, sectionTaxonomy, showSections, wholeNumber } from '../section.ts';

const mostCourses = 500;
const integer = () => yup.number().integer();

const Sidebar = yup.object({
  lang: yup.string().required(),
  languages: yup.array().of(yup.string().required()).required(),
  sections: SectionList,
  post: yup
    .object({
      postId: integer().required(),
      title: yup.string().defined(),
      status: yup.string().required(),
      type: yup.string().required(),
      sectionIds: yup.array().of(integer().required()).required(),
    })
    .nullable()
    .defined(),
  courses: yup
    .array()
    .of(
      yup.object({
        id: integer().required(),
        title: yup.string().defined(),
        status: yup.string().required(),
      }),
    )
    .required(),
  courseLinkAvailable: yup.boolean().required(),
  can: yup
    .object({
      rename: yup.boolean().required(),
      reorder: yup.boolean().required(),
      assign: yup.boolean().required(),
      linkCourse: yup.boolean().required(),
    })
    .required(),
});

export const getSidebar = defineOperation({
  id: 'course_manager.get-sidebar',
  method: 'GET',
  path: 'svc/course-manager/v1/sidebar',
  summary: 'All that stands beside the editor of a page: sections, its own among them, and courses',
  access,
  contract: true,
  input: { query: yup.object({ postId: wholeNumber().min(1), ...langQuery }) },
  output: Sidebar,
  errors: ['svccm_post_not_found'],
  handle: async ({ query }, call) => {
    const languages = languagesOf(call, query.lang);
    const shown = query.postId === undefined ? null : await shownPost(call, query.postId);
    const sections = await call.get(TermLists).all({ blog_id: call.site.blog_id }, sectionTaxonomy);
    const courses = await shownCourses(call);
    return {
      lang: languages.current,
      languages: languages.all,
      sections: await showSections(call, sections, languages, call.get(Database).knex),
      post: shown?.post ?? null,
      courses: courses ?? [],
      courseLinkAvailable: courses !== null,
      // Whoever gets here holds the capabilities that the first two need.
      can: { rename: true, reorder: true, assign: shown?.mayAssign ?? false, linkCourse: courses !== null },
    };
  },
});

async function shownPost(call: Call, postId: number) {
  const posts = call.get(Posts);
  const found = await findPost(call, postId, (id) => posts.find(call.site.blog_id, id));
  const { post, type } = found ?? fail('svccm_post_not_found');
  const { title, status } = post;
  const sectionIds = (await posts.terms([postId])).get(postId)?.[sectionTaxonomy] ?? [];
  return {
    post: { postId, title, status, type: post.type, sectionIds },
    mayAssign: isAssignable(post) && editPost(call, post, type),
  };
}

/** Null while the module lms is off. */
async function shownCourses(call: Call) {
  const courses = await coursesOf(call);
  const page = await courses?.list(call.site.blog_id, '', { page: 1, per_page: mostCourses });
  return page?.items.map(({ id, title, status }) => ({ id, title, status })) ?? null;
}
