import { access } from 'node:fs/promises';
import path from 'node:path';
import { NewModuleError, writeModule } from './new-module.ts';

const project = path.resolve(import.meta.dirname, '../..');
// npm runs scripts in the folder of the project; a path means the folder where the author stands.
const here = process.env.INIT_CWD ?? process.cwd();
const [id, given] = process.argv.slice(2);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function giveUp(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (id === undefined) giveUp('Say which: npm run module:new <id> [folder]');
const folder = given === undefined ? path.join(project, 'modules', id) : path.resolve(here, given);
if (given === undefined)
  await access(path.dirname(folder)).catch(() => giveUp('There is no folder "modules".'));
try {
  const written = await writeModule(id, folder);
  print(`${id}: ${written.length} files in ${folder}`);
  print('');
  print(`  npm run module:check ${folder}`);
  print(`  npm run mocha -- '${path.join(folder, 'test/**/*.test.ts')}'`);
} catch (error) {
  if (!(error instanceof NewModuleError)) throw error;
  giveUp(error.message);
}
