import type { ErrorTable } from '@lyceum/core';

export const errors = {
  svclms_static_builder_invalid_blog: { status: 400, message: 'blog_id names no site.' },
  svclms_static_builder_blog_not_found: { status: 404, message: 'No such site in this network.' },
  svclms_static_builder_course_not_found: { status: 404, message: 'Course not found.' },
  svclms_static_builder_not_found: { status: 404, message: 'Build not found.' },
  svclms_static_builder_revision_not_found: {
    status: 404,
    message: 'The files of this revision are not known any more.',
  },
  svclms_static_builder_not_published: { status: 409, message: 'Nothing of this build is published.' },
  svclms_static_builder_invalid_id: { status: 400, message: 'The id of a build is an integer from 1.' },
  svclms_static_builder_pages_required: { status: 400, message: 'A build needs at least one page.' },
  svclms_static_builder_invalid_page_ids: {
    status: 400,
    message: 'page_ids is an array of different ids, no more than a build may have.',
  },
  svclms_static_builder_invalid_api_type: { status: 400, message: 'There is no such interface.' },
  svclms_static_builder_invalid_export_mode: { status: 400, message: 'There is no such export mode.' },
  svclms_static_builder_invalid_version: {
    status: 400,
    message: 'A version is an integer from 1 to 9999.',
  },
  svclms_static_builder_page_not_found: { status: 404, message: 'The site has no such page.' },
  svclms_static_builder_busy: { status: 409, message: 'The build is at work.' },
  svclms_static_builder_page_cache_rebuild: {
    status: 409,
    message: 'The pages of the build are being rendered anew.',
  },
  svclms_static_builder_no_pages: { status: 409, message: 'None of the pages of the build is left.' },
  svclms_static_builder_cannot_stop: { status: 409, message: 'The build is not at work.' },
  svclms_static_builder_create_failed: { status: 500, message: 'The build could not be written.' },
  svclms_static_builder_configure_failed: {
    status: 500,
    message: 'The configuration of the build could not be written.',
  },
  svclms_static_builder_update_failed: { status: 500, message: 'The build could not be changed.' },
  svclms_static_builder_delete_failed: { status: 500, message: 'The build could not be deleted.' },
  svclms_static_builder_too_large: { status: 500, message: 'The build has more bytes than it may have.' },
  svclms_static_builder_interrupted: { status: 500, message: 'The build was interrupted three times.' },
  svclms_static_builder_storage: { status: 500, message: 'The files of the build could not be stored.' },
  svclms_static_builder_invalid_manifest: {
    status: 500,
    message: 'The manifest of the package does not follow its schema.',
  },
} as const satisfies ErrorTable;
