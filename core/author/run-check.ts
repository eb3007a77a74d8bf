import path from 'node:path';
import { checkModule, type Verdict } from './check-module.ts';

const here = process.env.INIT_CWD ?? process.cwd();
const [given] = process.argv.slice(2);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function tell({ id, version, refusals, notes, routes }: Verdict): void {
  const name = id === null ? 'The package' : `${id}${version === '' ? '' : ` ${version}`}`;
  if (refusals.length > 0) {
    print(`${name} would be refused:`);
    for (const { code, message } of refusals) print(`  ${code}  ${message}`);
    return;
  }
  print(`${name} is well. It serves:`);
  for (const route of routes) print(`  ${route}`);
  for (const note of notes) print(`  note  ${note}`);
}

if (given === undefined) {
  process.stderr.write('Say which: npm run module:check <folder>\n');
  process.exit(1);
}
const verdict = await checkModule(path.resolve(here, given));
tell(verdict);
// Code of the package may have left something open.
process.exit(verdict.refusals.length > 0 ? 1 : 0);
