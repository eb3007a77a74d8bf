import type { ErrorTable } from '@lyceum/core';

export const errors = {
  svcsf_empty_name: { status: 400, message: 'A section must have a name.' },
  svcsf_bad_taxonomy: { status: 400, message: 'This term is no course section.' },
  svcsf_not_found: { status: 404, message: 'Section not found.' },
  svccm_post_not_found: { status: 404, message: 'Post not found.' },
  svccm_bad_post_type: { status: 400, message: 'Only pages and posts are put into sections.' },
  svccm_too_many_sections: { status: 400, message: 'A post cannot be in as many sections.' },
  svccm_invalid_section_term: { status: 404, message: 'There is no such section on this site.' },
  svccm_order_conflict: {
    status: 409,
    message: 'The site has sections that the order does not name. Read them and try again.',
  },
  svccm_course_link_unavailable: {
    status: 503,
    message: 'Sections cannot be linked to courses while the module lms is off.',
  },
  svclms_invalid_course_term: { status: 400, message: 'There is no such course on this site.' },
} as const satisfies ErrorTable;
