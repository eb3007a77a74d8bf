import { writeClient } from './write-client.ts';

const [description = 'http://localhost:8080/api/openapi.json', file = 'lyceum-client.ts'] =
  process.argv.slice(2);
try {
  await writeClient(description, file);
  process.stdout.write(`${file} speaks to what ${description} describes.\n`);
} catch (error) {
  process.stderr.write(`No client was written: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
