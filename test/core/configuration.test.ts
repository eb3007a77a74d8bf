import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../config/load.ts';
import { checkDatabase } from '../../core/boot/check-database.ts';
import { cloneDatabase } from '../kit/postgres.ts';

describe('the configuration', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lyceum-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load = (variables: Readonly<Record<string, string>>) =>
    loadConfig({ DATA_DIR: path.join(folder, 'made/on/the/way'), ...variables });

  const wrong: readonly (readonly [string, string])[] = [
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', '80.5'],
    ['PORT', '65536'],
    ['HOST', '999.1.1.1'],
    ['HOST', 'not a host'],
    ['BASE_URL', 'http://A_B.example/'],
    ['BASE_URL', 'http://a.example/Lab/'],
    ['BASE_URL', 'http://a.example/a/b/c/d/'],
    ['BASE_URL', 'http://a.example/?x=1'],
    ['API_ROOT', 'a/b'],
    ['API_ROOT', 'files'],
    ['API_ROOT', 'healthz'],
    ['STORAGE_URL', '/absolute'],
    ['STORAGE_URL', 's3://'],
    ['STORAGE_URL', 's3://bucket/x?bogus=1'],
    ['STORAGE_URL', 's3://bucket/x?endpoint=nonsense'],
    ['MULTISITE', 'on'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['LOG_LEVEL', 'WARN'],
  ];
  for (const [name, value] of wrong) {
    it(`refuses ${name}=${value} in one line that names it, the value and what is allowed`, () => {
      expect(() => load({ [name]: value }))
        .to.throw(ConfigError)
        .with.property('message')
        .that.satisfies((line: string) => line.startsWith(`${name}: "${value}" is given, allowed is `))
        .and.not.includes('\n');
    });
  }

  it('repeats no secret', () => {
    expect(() => load({ SECRET_KEY: 'too short' })).to.throw(ConfigError, /^SECRET_KEY: a wrong value/);
  });

  it('refuses folders that cannot be made or are none, by the name of their variable', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    for (const no of [file, path.join(file, 'below'), '/proc/nothing/here']) {
      expect(() => load({ DATA_DIR: no }), no).to.throw(ConfigError, `DATA_DIR: "${no}" cannot be used`);
      expect(() => load({ STORAGE_URL: `file://${no}` }), no).to.throw(
        ConfigError,
        `STORAGE_URL: "${no}" cannot be used`,
      );
    }
  });

  it('takes folders of packages that are there, and no others', () => {
    const other = path.join(folder, 'other');
    mkdirSync(other);
    const given = `${folder}: ${other}:${folder}:`;
    expect(load({ MODULES_PATH: given }).modulesPath).to.deep.equal([folder, other]);
    expect(load({}).modulesPath).to.deep.equal([]);
    const file = path.join(folder, 'a-file');
    writeFileSync(file, '');
    for (const no of [file, path.join(folder, 'nowhere')]) {
      expect(() => load({ MODULES_PATH: `${other}:${no}` }), no).to.throw(
        ConfigError,
        new RegExp(`^MODULES_PATH: "${no}" cannot be read .*, allowed is folders that can be read`),
      );
    }
  });

  it('makes the folders that are not there', () => {
    const storage = path.join(folder, 'files/of/sites');
    expect(load({ STORAGE_URL: `file://${storage}`, PORT: '8081' })).to.include({ port: 8081 });
    expect(load({ STORAGE_URL: `file://${storage}` }).dataDir).to.equal(path.join(folder, 'made/on/the/way'));
  });

  it('takes a database that answers, and names the variable of one that does not', async () => {
    const database = await cloneDatabase('empty');
    try {
      await checkDatabase(database.url);
      const absent = new URL(database.url);
      absent.pathname = '/no_such_database';
      for (const url of [absent.href, 'postgres://nobody:hidden-word@127.0.0.1:1/x']) {
        const refused = await checkDatabase(url).then(
          () => null,
          (error: unknown) => error,
        );
        expect(refused).to.be.instanceOf(ConfigError);
        expect((refused as Error).message)
          .to.match(
            /^DATABASE_URL: the database cannot be used \(.+\), allowed is a PostgreSQL 14 or later\.$/,
          )
          .and.not.include('hidden-word');
      }
    } finally {
      await database.drop();
    }
  });
});
