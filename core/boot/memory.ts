import { setFlagsFromString } from 'node:v8';

/**
 * Loading the program makes garbage so fast that V8 doubles its space for new objects from 1 to 64 MB, and keeps
 * it: 35 MB more at rest. Until the start is over it stays small, which costs the start nothing that can be measured.
 */
export const startSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** The start is over: V8's own rule again, by which the space grows with the load. */
export const growWithLoad = (): void => setFlagsFromString('--semi-space-growth-factor=2');
