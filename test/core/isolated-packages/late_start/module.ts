import { defineModule } from '@lyceum/core';

export default defineModule({
  id: 'cell_late_start',
  title: 'Never starts',
  hooks: {
    start: () => {
      for (;;);
    },
  },
});
