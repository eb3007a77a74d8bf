import type { ErrorTable } from '@lyceum/core';

export const errors = {
  embed_packages_invalid_blog: { status: 400, message: 'blog_id is not valid.' },
  embed_packages_unknown_blog: { status: 404, message: 'No such site in this network.' },
  embed_packages_not_found: { status: 404, message: 'Package not found.' },
  embed_packages_page_not_found: { status: 404, message: 'Page not found.' },
  embed_packages_invalid_zip: { status: 400, message: 'The archive is refused.' },
  embed_packages_no_entry: { status: 400, message: 'The content has no HTML document to begin with.' },
  embed_packages_no_content: { status: 409, message: 'The package has no content yet.' },
  embed_packages_create_failed: { status: 500, message: 'The content could not be stored.' },
  embed_packages_delete_failed: { status: 500, message: 'The package could not be deleted.' },
} as const satisfies ErrorTable;
