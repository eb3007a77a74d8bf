import { enableCompileCache } from 'node:module';
import { startSmall } from './memory.ts';

startSmall();
// Before the rest of the program is loaded: the second start reads compiled code.
enableCompileCache();
await import('./run.ts');
