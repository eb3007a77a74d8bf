import type { ErrorTable } from '@lyceum/core';

export const errors = {
  post_in_trash: { status: 409, message: 'The record is in the trash.' },
  post_type_not_duplicable: { status: 400, message: 'Records of this type are not duplicated here.' },
  post_tree_too_large: { status: 400, message: 'The record has more below it than is copied at once.' },
} as const satisfies ErrorTable;
