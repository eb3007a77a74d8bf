/** What every route refuses a site by. */
export const blogCodes = {
  invalid: 'svclms_static_builder_invalid_blog',
  unknown: 'svclms_static_builder_blog_not_found',
} as const;

/** Who may do anything here. */
export const access = { can: 'manage_network', onSingleSite: 'edit_pages' } as const;
