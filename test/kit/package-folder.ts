import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Files of a package by path; null removes one. */
export type PackageFiles = Readonly<Record<string, string | null>>;

/** Text of a package.json; what is undefined is left out. */
export const manifestOf = (id: string, changes: object, lyceum: object): string =>
  JSON.stringify({
    name: `lyceum-module-${id.replaceAll('_', '-')}`,
    version: '1.0.0',
    type: 'module',
    lyceum: { id, api: 1, main: './module.js', ...lyceum },
    ...changes,
  });

/** A folder of packages that a test fills and changes. */
export class PackageFolder {
  readonly path: string;

  private constructor(folder: string) {
    this.path = folder;
  }

  static async make(): Promise<PackageFolder> {
    return new PackageFolder(await realpath(await mkdtemp(path.join(tmpdir(), 'lyceum-packages-'))));
  }

  at(...names: string[]): string {
    return path.join(this.path, ...names);
  }

  /** Writes a package of this id whose main is `module.js`; `files` may replace its package.json. */
  async write(id: string, files: PackageFiles): Promise<void> {
    await this.change(id, { 'package.json': manifestOf(id, {}, {}), ...files });
  }

  /** Writes some files of a folder. */
  async change(name: string, files: PackageFiles): Promise<void> {
    for (const [file, content] of Object.entries(files)) {
      const target = this.at(name, file);
      if (content === null) {
        await rm(target, { recursive: true, force: true });
        continue;
      }
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Source of a module whose one public operation, `GET <namespace>/say`, answers `{ said }`. */
export const sayingModule = (id: string, said: string): string => `
import { defineModule, defineOperation, yup } from '@lyceum/core';

const say = defineOperation({
  id: '${id}.say',
  method: 'GET',
  path: '${sayingPath(id)}',
  access: { public: 'for tests' },
  output: yup.object({ said: yup.string().required() }),
  handle: () => ({ said: '${said}' }),
});

export default defineModule({
  id: '${id}',
  title: 'Says ${said}',
  namespaces: ['test/${id.replaceAll('_', '-')}/v1'],
  defaultEnabled: true,
  operations: [say],
});
`;

export const sayingPath = (id: string): string => `test/${id.replaceAll('_', '-')}/v1/say`;
