import path from 'node:path';
import { expect } from 'chai';
import { type SourceFile, sourceFiles } from './source-files.ts';

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/;

/** Names that a file exports by their declaration, with whether a doc comment stands before it. */
function exportsOf(text: string): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const name = declaration.exec(line)?.[1];
    // Overloads follow each other under one comment.
    if (name && found.get(name) !== true) found.set(name, lines[at - 1]?.trimEnd().endsWith('*/') ?? false);
  }
  return found;
}

/** Names that a file passes on, with the file that declares them. */
function passedOn({ path: file, text }: SourceFile): [string, string][] {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map(
          (name) =>
            name
              .replace(/^\s*type /, '')
              .trim()
              .split(' as ')[0] ?? '',
        )
        .filter((name) => name !== '')
        .map((name): [string, string] => [name, path.posix.join(path.posix.dirname(file), from)]),
  );
}

describe('the door', () => {
  let files: Map<string, SourceFile>;
  before(async () => {
    files = new Map((await sourceFiles()).map((file) => [file.path, file]));
  });

  it('says of every export what it promises', () => {
    const untold: string[] = [];
    for (const file of files.values()) {
      if (path.posix.dirname(file.path) !== 'core/api') continue;
      for (const [name, told] of exportsOf(file.text)) if (!told) untold.push(`${file.path}: ${name}`);
      for (const [name, from] of passedOn(file)) {
        const told = exportsOf(files.get(from)?.text ?? '').get(name);
        if (told === false) untold.push(`${from}: ${name}`);
      }
    }
    expect([...new Set(untold)]).to.deep.equal([]);
  });
});
