import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import type { InstalledModules } from '../../core/registry/spec.ts';
import { builtinModules } from './everything-on.ts';
import { projectFolder, type SourceFile, sourceFiles, specifiersOf } from './source-files.ts';

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const packageOf = async (folder: string): Promise<Package> =>
  JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Package;

/** `@scope/name` or `name` of a specifier that leads into a package. */
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

describe('imports', () => {
  let files: SourceFile[];
  let modules: InstalledModules;
  let root: Package;

  before(async () => {
    [files, modules, root] = await Promise.all([sourceFiles(), builtinModules(), packageOf(projectFolder)]);
  });

  it('are found: the test reads every form of them', () => {
    const text = [
      "import a, { type B } from 'one';",
      "import {\n  c,\n  d,\n} from './two.ts';",
      "export * from '../three.ts';",
      "import 'four';",
      "const five = await import('five/sub');",
      "// import 'six';",
    ].join('\n');
    expect(specifiersOf({ path: 'x.ts', text })).to.have.members([
      'one',
      './two.ts',
      '../three.ts',
      'four',
      'five/sub',
    ]);
  });

  it('of a module go through the door, to modules that it names, or to packages that are listed', async () => {
    const wrong: string[] = [];
    for (const file of files) {
      const [top, id = ''] = file.path.split('/');
      if (top !== 'modules') continue;
      const own = await packageOf(path.join(projectFolder, 'modules', id));
      const spec = modules.get(id)?.spec;
      const named = [...(spec?.requires ?? []), ...(spec?.optional ?? [])];
      const inTest = file.path.startsWith(`modules/${id}/test/`);
      const listed = new Set(Object.keys({ ...root.dependencies, ...own.dependencies }));
      if (inTest) for (const name of Object.keys(root.devDependencies ?? {})) listed.add(name);
      const isAllowed = (specifier: string): boolean => {
        if (specifier.startsWith('.')) {
          const target = path.posix.join(path.posix.dirname(file.path), specifier);
          return target.startsWith(`modules/${id}/`);
        }
        if (specifier === '@lyceum/core') return true;
        if (specifier === '@lyceum/core/testing') return inTest;
        if (specifier.startsWith('@lyceum/module/')) {
          const other = specifier.slice('@lyceum/module/'.length);
          return inTest || named.includes(other);
        }
        if (isBuiltin(specifier)) return specifier.startsWith('node:');
        return listed.has(packageName(specifier));
      };
      wrong.push(
        ...specifiersOf(file)
          .filter((specifier) => !isAllowed(specifier))
          .map((specifier) => `${file.path}: ${specifier}`),
      );
    }
    expect(wrong).to.deep.equal([]);
  });

  it('of the core lead to no module, and its rules know neither tests nor the door', () => {
    // The starter is a module that is copied out of the core, not a part of it.
    const elsewhere = ['core/testing/', 'core/author/starter/'];
    const wrong = files
      .filter(
        ({ path: file }) => file.startsWith('core/') && !elsewhere.some((part) => file.startsWith(part)),
      )
      .flatMap((file) =>
        specifiersOf(file)
          .filter((specifier) => {
            if (!specifier.startsWith('.')) return specifier.startsWith('@lyceum/');
            const target = path.posix.join(path.posix.dirname(file.path), specifier);
            return target.startsWith('modules/') || target.startsWith('test/');
          })
          .map((specifier) => `${file.path}: ${specifier}`),
      );
    expect(wrong).to.deep.equal([]);
  });
});
