import type { PostTypeDeclaration } from '@lyceum/core';

export const postTypes: readonly PostTypeDeclaration[] = [
  { id: 'post', title: 'Post', capabilities: 'post', hierarchical: false, duplicable: true },
  { id: 'page', title: 'Page', capabilities: 'page', hierarchical: true, duplicable: true },
  { id: 'modal', title: 'Modal', capabilities: 'page', hierarchical: false, duplicable: true },
];
