import type { SiteState } from '../state/site-state.ts';
import type { CompiledOperation } from './route-table.ts';

/** Whether the operation exists on the site now: its module is on and its own condition holds. */
export const isOpen = ({ operation, module }: CompiledOperation, state: SiteState): boolean =>
  state.isOn(module.id) && (operation.when === undefined || state.holds(module, operation.when));
