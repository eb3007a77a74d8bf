import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose code runs, through every promise, timer and event that it causes. */
const running = new AsyncLocalStorage<string>();

/** Runs code of a module; what it leaves behind is known to be its own. */
export const asModule = <T>(moduleId: string, work: () => T): T => running.run(moduleId, work);

/** The module whose code caused what happens now, or null for the host's own. */
export const runningModule = (): string | null => running.getStore() ?? null;
