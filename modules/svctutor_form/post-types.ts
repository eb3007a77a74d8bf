import type { PostTypeDeclaration } from '@lyceum/core';
import { formType } from './form/form.ts';

export const postTypes: readonly PostTypeDeclaration[] = [
  { id: formType, title: 'Form', capabilities: 'page', hierarchical: false, duplicable: true },
];
