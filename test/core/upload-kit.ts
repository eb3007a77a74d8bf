import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Source of a module with one operation that takes a file and says what it got. */
const source = `
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { defineModule, defineOperation, yup } from '@lyceum/core';

const take = defineOperation({
  id: 'taker.take',
  method: 'POST',
  path: 'test/taker/v1/files',
  access: { signedIn: true },
  multipart: { file: 'file' },
  input: { body: yup.object({ title: yup.string().max(20), count: yup.number().integer() }) },
  output: yup.object({
    title: yup.string().nullable(),
    count: yup.number().nullable(),
    name: yup.string(),
    bytes: yup.number(),
    honest: yup.boolean(),
  }),
  handle: ({ body, file }) => {
    const content = readFileSync(file.path);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const honest = sha256 === file.sha256 && content.length === file.bytes;
    if (body.title === 'throw') throw new Error('as asked');
    return { title: body.title ?? null, count: body.count ?? null, name: file.name, bytes: file.bytes, honest };
  },
});

export default defineModule({
  id: 'taker',
  title: 'Taker',
  namespaces: ['test/taker/v1'],
  defaultEnabled: true,
  operations: [take],
});
`;

export const takeRoute = 'test/taker/v1/files';

/** A folder with the module in it, for \`startTestHost\`. */
export async function takerFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-taker-'));
  const home = path.join(folder, 'taker');
  await mkdir(home);
  const manifest = {
    name: 'taker',
    version: '1.0.0',
    type: 'module',
    lyceum: { id: 'taker', api: 1, main: './module.js' },
  };
  await writeFile(path.join(home, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(home, 'module.js'), source);
  return folder;
}

/** Names of the files that wait for a handler. */
export async function waitingUploads(dataDir: string): Promise<string[]> {
  return await readdir(path.join(dataDir, 'uploads')).catch(() => []);
}
