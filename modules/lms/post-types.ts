import type { PostTypeDeclaration } from '@lyceum/core';

export const postTypes: readonly PostTypeDeclaration[] = [
  { id: 'course', title: 'Course', capabilities: 'page', hierarchical: false, duplicable: true },
];
