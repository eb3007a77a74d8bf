import path from 'node:path';
import { expect } from 'chai';
import { type SourceFile, sourceFiles, withoutComments } from './source-files.ts';

const mostLines = 300;

/** Where SQL may be written. The single files of the core are host services that are a store as a whole. */
const sqlRooms: readonly RegExp[] = [
  /-store\.ts$/,
  /\/migrations\//,
  /^core\/(db|state|jobs)\//,
  /^core\/boot\/(first-start|host)\.ts$/,
  /^core\/auth\/(identity|rate-limits)\.ts$/,
  /^core\/http\/idempotency\.ts$/,
  /^core\/settings\/settings\.ts$/,
  /(^|\/)test\//,
];

/** A table named to knex, a raw statement, or a statement spelled out. */
const sqlForms: readonly RegExp[] = [
  /\b(?:knex|trx|sql)\(\s*['"`{]/,
  /\.raw\(/,
  /\bselect\b[^;]*\bfrom\b[^;]*\b(?:where|join|limit)\b/,
  /\binsert into \w+/,
  /\bupdate \w+ set\b/,
  /\bdelete from \w+/,
];

const hasSql = (text: string): boolean => {
  const code = withoutComments(text);
  return sqlForms.some((form) => form.test(code));
};

describe('source files', () => {
  let files: SourceFile[];
  before(async () => {
    files = await sourceFiles();
  });

  const pathsOf = (wrong: readonly SourceFile[]): string[] => wrong.map(({ path: file }) => file);

  it('are named for what is in them, in small letters with hyphens', () => {
    const vague = /^(utils?|helpers?|misc|common|lib|stuff)\.[jt]sx?$/;
    expect(pathsOf(files.filter((file) => vague.test(path.basename(file.path))))).to.deep.equal([]);
    const form = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|tsx|js|mjs)$/;
    const odd = files.filter(
      (file) => !file.path.includes('/console/') && !form.test(path.basename(file.path)),
    );
    expect(pathsOf(odd)).to.deep.equal([]);
  });

  it(`have at most ${mostLines} lines, or say in the first comment why not`, () => {
    const long = files.filter(({ text }) => text.split('\n').length - 1 > mostLines && !/^\/[/*]/.test(text));
    expect(pathsOf(long)).to.deep.equal([]);
  });

  it('have a median under 90 lines', () => {
    const lines = files.map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).to.be.below(90);
  });

  it('write SQL in stores and migrations only', () => {
    const allowed = ({ path: file }: SourceFile): boolean => sqlRooms.some((room) => room.test(file));
    expect(pathsOf(files.filter((file) => !allowed(file) && hasSql(file.text)))).to.deep.equal([]);
  });

  it('leave nothing unfinished and switch no check off', () => {
    const marks =
      /\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|expect-error|nocheck)|\b(?:describe|it)\.(?:skip|only)\(/;
    const own = (file: SourceFile): boolean => file.path === 'test/contract/files.test.ts';
    expect(pathsOf(files.filter((file) => !own(file) && marks.test(file.text)))).to.deep.equal([]);
  });
});
