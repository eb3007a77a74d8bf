import { expect } from 'chai';
import { hostErrors, universalErrors } from '../../core/api/host-errors.ts';
import { declaredErrors } from '../../core/registry/declared-errors.ts';
import { specs } from '../../core/registry/spec.ts';
import type { TestHost } from '../kit/index.ts';
import { startWithEverythingOn } from './everything-on.ts';
import { type SourceFile, sourceFiles, withoutComments } from './source-files.ts';

/** Codes in the first argument of `fail(…)`, also those of a choice between two. */
function thrownIn(text: string): string[] {
  return [...withoutComments(text).matchAll(/\bfail\(\s*([^,()]*)/g)].flatMap(([, argument = '']) =>
    [...argument.matchAll(/'([a-z][a-z0-9_]*)'/g)].map(([, code = '']) => code),
  );
}

/** Every quoted word outside error tables and lists of declared codes. */
function wordsIn(text: string): string[] {
  const code = withoutComments(text)
    .replaceAll(/\berrors(?:Elsewhere)?\s*:\s*[[{][^\]}]*[\]}]/g, '')
    .replaceAll(/\bErrors?\w*\s*=\s*\[[^\]]*\]/gi, '');
  return [...code.matchAll(/'([a-z][a-z0-9_]*)'/g)].map(([, word = '']) => word);
}

/** Files that list codes without throwing any. */
const listsOnly = ({ path }: SourceFile): boolean =>
  /^modules\/.*\/errors\.ts$|^core\/api\/host-errors\.ts$|^core\/registry\/declared-errors\.ts$/.test(path);
const isSource = ({ path }: SourceFile): boolean => !path.includes('/test/') && !path.startsWith('test/');

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly responses: Responses }>>>
  >;
  readonly components: {
    readonly examples: Readonly<
      Record<string, { readonly value: { readonly code: string; readonly data: unknown } }>
    >;
  };
}
type Responses = Readonly<
  Record<
    string,
    {
      readonly content?: Readonly<
        Record<string, { readonly examples?: Readonly<Record<string, { $ref: string }>> }>
      >;
    }
  >
>;

describe('errors of every module', () => {
  let lyceum: TestHost;
  let files: SourceFile[];
  const words = new Map<string, Set<string>>();

  before(async () => {
    lyceum = await startWithEverythingOn();
    files = (await sourceFiles()).filter(isSource);
    for (const file of files.filter((candidate) => !listsOnly(candidate))) {
      const room = roomOf(file);
      words.set(room, new Set([...(words.get(room) ?? []), ...wordsIn(file.text)]));
    }
  });
  after(() => lyceum.stop());

  /** `core`, or the id of the module. */
  const roomOf = ({ path }: SourceFile): string => {
    const [top = '', id = ''] = path.split('/');
    return top === 'modules' ? id : top;
  };
  const mentions = (room: string, code: string): boolean => words.get(room)?.has(code) ?? false;

  it('thrown in its source stand in its table or in that of the host', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('modules/'))
      .flatMap((file) => {
        const table = lyceum.host.modules.get(roomOf(file))?.spec?.errors ?? {};
        return thrownIn(file.text)
          .filter((code) => !Object.hasOwn(table, code) && !Object.hasOwn(hostErrors, code))
          .map((code) => `${file.path}: ${code}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it('in its table are thrown in its source and declared by an operation or a job', () => {
    const wrong: string[] = [];
    const all = [...specs(lyceum.host.modules)];
    const elsewhere = new Set(all.flatMap((spec) => Object.values(spec.errorsElsewhere).flat()));
    for (const { id, errors, operations, jobs } of all) {
      const declared = new Set([...operations, ...jobs].flatMap((declaration) => declaration.errors ?? []));
      for (const { access, badInput, blogCodes } of operations) {
        const secret = 'secret' in access ? access.secret : null;
        const more = [
          badInput ?? [],
          Object.values(blogCodes ?? {}),
          secret?.errors ?? [],
          Object.values(secret?.refusals ?? {}),
        ];
        for (const code of more.flat()) declared.add(code);
      }
      for (const code of Object.keys(errors)) {
        if (!mentions(id, code)) wrong.push(`${id}: ${code} is never thrown`);
        if (!declared.has(code) && !elsewhere.has(code))
          wrong.push(`${id}: ${code} is declared by no operation and no job`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('declared by an operation are thrown by its module or by the core', () => {
    const wrong = lyceum.host.routes.operations.flatMap(({ operation, module }) =>
      (operation.errors ?? [])
        .filter((code) => !mentions(module.id, code) && !mentions('core', code))
        .map((code) => `${operation.id}: ${code}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('of the host are thrown somewhere', () => {
    const rooms = [...words.keys()];
    const idle = Object.keys(hostErrors).filter((code) => !rooms.some((room) => mentions(room, code)));
    expect(idle).to.deep.equal([]);
  });

  it('named for operations of other modules name operations that exist', () => {
    const ids = new Set(lyceum.host.routes.operations.map(({ operation }) => operation.id));
    const wrong = [...specs(lyceum.host.modules)].flatMap(({ id, errorsElsewhere }) =>
      Object.keys(errorsElsewhere)
        .filter((operation) => !ids.has(operation) && lyceum.host.modules.has(operation.split('.')[0] ?? ''))
        .map((operation) => `${id}: ${operation}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('are exactly the answers that openapi.json gives, with their statuses', async () => {
    const document = (await lyceum.anonymous.get('openapi.json').expect(200)).body as Described;
    const declared = declaredErrors(lyceum.host.routes.operations, lyceum.host.modules);
    const wrong: string[] = [];
    for (const { operationId, responses } of Object.values(document.paths).flatMap((path) =>
      Object.values(path),
    )) {
      const told = new Set<string>();
      for (const [status, { content }] of Object.entries(responses)) {
        for (const { $ref } of Object.values(content?.['application/json']?.examples ?? {})) {
          const { code, data } = document.components.examples[$ref.split('/').at(-1) ?? '']?.value ?? {};
          told.add(code ?? $ref);
          const own = (data as { status?: number } | null)?.status ?? 500;
          if (String(own) !== status) wrong.push(`${operationId}: ${code} under ${status}`);
        }
      }
      const expected = new Set([...(declared.get(operationId) ?? []), ...universalErrors]);
      // Who asks with the method of an operation is not told that the method is wrong.
      expected.delete('rest_method_not_allowed');
      const difference = [...told, ...expected].filter((code) => told.has(code) !== expected.has(code));
      if (difference.length > 0) wrong.push(`${operationId}: ${difference.join(', ')}`);
    }
    expect(wrong).to.deep.equal([]);
  });
});
