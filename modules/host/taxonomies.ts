import type { TaxonomyDeclaration } from '@lyceum/core';

export const taxonomies: readonly TaxonomyDeclaration[] = [
  { id: 'category', title: 'Category', scope: 'site', hierarchical: true, namesMayRepeat: false },
  { id: 'tag', title: 'Tag', scope: 'site', hierarchical: false, namesMayRepeat: false },
  {
    id: 'course_section',
    title: 'Course section',
    scope: 'site',
    hierarchical: true,
    namesMayRepeat: true,
    ordered: true,
  },
  {
    id: 'site_category',
    title: 'Site category',
    scope: 'network',
    hierarchical: true,
    namesMayRepeat: false,
  },
  { id: 'site_status', title: 'Site status', scope: 'network', hierarchical: false, namesMayRepeat: false },
];
