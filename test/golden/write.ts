import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RouteTable } from '../../core/http/route-table.ts';
import { builtinModules } from '../contract/everything-on.ts';
import { goldenLines } from './lines.ts';

// Writes the list of operations anew, from the modules that come with the host: review the difference.
const lines = goldenLines(new RouteTable(await builtinModules()));
await writeFile(path.join(import.meta.dirname, 'operations.txt'), `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length} operations\n`);
