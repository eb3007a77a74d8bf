import { hostname } from 'node:os';
import { StudioError } from './studio-client.ts';
import { type Outcome, Workspace } from './workspace.ts';

const usage = `Texts of a site as files in this folder.

  connect <connect_url> <connect_token>   once; the token comes from the site
  pull [types]                            what changed there; types as in page,modal
  push                                    what changed here
  resolve <file>                          the file wins over the .theirs beside it
  disconnect                              ends the connection
`;

function tell(outcomes: readonly Outcome[]): void {
  for (const { what, path, more } of outcomes) process.stdout.write(`${what} ${path} ${more}\n`);
  if (outcomes.some(({ what }) => what === 'conflict' || what === 'refused')) process.exitCode = 2;
}

async function run(folder: string, [command, ...given]: readonly string[]): Promise<void> {
  const [first = '', second = ''] = given;
  if (command === 'connect') {
    await Workspace.connect(folder, first, second, hostname());
    return;
  }
  const workspace = command === undefined ? null : await Workspace.open(folder);
  if (command === 'pull') tell((await workspace?.pull((first || 'page,modal').split(','))) ?? []);
  else if (command === 'push') tell((await workspace?.push()) ?? []);
  else if (command === 'resolve') await workspace?.resolve(first);
  else if (command === 'disconnect') await workspace?.disconnect();
  else process.stdout.write(usage);
}

try {
  await run(process.cwd(), process.argv.slice(2));
} catch (error) {
  const told = error instanceof StudioError ? `${error.code}: ${error.message}` : String(error);
  process.stderr.write(`${told}\n`);
  process.exitCode = 1;
}
