import { defineModule, installed } from '@lyceum/core';

export default defineModule({
  id: 'test_child',
  title: 'Child',
  requires: ['test_parent'],
  scopes: ['network', 'site'],
  conditions: [{ id: 'parent_installed', title: 'The parent is installed', when: installed('test_parent') }],
});
