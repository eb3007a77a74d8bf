import type { CopyContext } from './copy-context.ts';
import { readTableFacts } from './table-facts-store.ts';
import { declaredTables, planTables, type TablePlan } from './table-plan.ts';

type Planned = Pick<CopyContext, 'db' | 'modules' | 'flags'>;

/** Plans of the tables that a copy with these flags takes along, in the order in which they are copied. */
export async function tablePlans({ db, modules, flags }: Planned): Promise<TablePlan[]> {
  const names = declaredTables(modules).map(({ table }) => table);
  if (names.length === 0) return [];
  const plans = planTables(modules, await readTableFacts(db.knex, names));
  return plans.filter((plan) => (plan.with === 'files' ? flags.copy_files : flags.copy_modules));
}
