import { defineMigration, defineModule } from '@lyceum/core';

export default defineModule({
  id: 'cell_lost_step',
  title: 'Ends its worker in a migration',
  migrations: [defineMigration({ id: '001-exit', up: async () => process.exit(3) })],
});
