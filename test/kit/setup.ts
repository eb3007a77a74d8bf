import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { stopTestPostgres } from './postgres.ts';

// Test files import the door and other modules' apis as modules do.
registerResolveHooks();

/** Mocha calls it once, when every test is done. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestPostgres();
}
