import { defineModule } from '@lyceum/core';

export default defineModule({ id: 'cell_bad_heap', title: 'Never loaded' });
