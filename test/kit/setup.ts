import fc from 'fast-check';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { shareTestPostgres, stopTestPostgres } from './postgres.ts';

// Test files import the door and other modules' apis as modules do.
registerResolveHooks();

// The same examples in every run, so that a failure is the fault of the change; FC_SEED explores others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_260_101) });

/** Mocha calls it once, before it starts the processes that run test files side by side. */
export async function mochaGlobalSetup(this: { isParallelMode(): boolean }): Promise<void> {
  if (this.isParallelMode()) await shareTestPostgres();
}

/** Mocha calls it once, when every test is done. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestPostgres();
}
