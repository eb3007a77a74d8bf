import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkKey } from '../../core/files/key.ts';
import { InvalidKey } from '../../core/files/storage-errors.ts';
import { parseStorageUrl } from '../../core/files/storage-url.ts';

describe('file keys', () => {
  it('takes what the host makes', () => {
    for (const key of ['a', 'sites/1/2024/a-b_c~d.tar.gz', 'x/-/~', `${'a'.repeat(255)}/b`]) {
      expect(() => checkKey(key), key).not.to.throw();
    }
  });

  it('refuses everything that could leave its folder or hide', () => {
    const bad = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/..',
      '../a',
      'a/./b',
      '.tmp/a',
      'a/.htaccess',
      'a\\b',
    ];
    const strange = [
      'a b',
      'a\0',
      'ä',
      'a%2e',
      'a:b',
      'a\n',
      '~/../x',
      'a'.repeat(256),
      `${'a/'.repeat(500)}a`,
    ];
    for (const key of [...bad, ...strange]) expect(() => checkKey(key), key).to.throw(InvalidKey);
  });

  it('lets no key through that means another path', () => {
    const property = fc.property(
      fc.string({ unit: fc.constantFrom('.', '/', 'a', '~', '\\', '\0', '%') }),
      (key) => {
        try {
          checkKey(key);
        } catch {
          return;
        }
        expect(new URL(`file:///root/${key}`).pathname).to.equal(`/root/${key}`);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });
});

describe('STORAGE_URL', () => {
  it('reads both forms', () => {
    expect(parseStorageUrl('file:///srv/my%20files/')).to.deep.equal({
      kind: 'folder',
      folder: '/srv/my files',
    });
    expect(parseStorageUrl('s3://my-bucket')).to.deep.equal({
      kind: 's3',
      bucket: 'my-bucket',
      prefix: '',
      region: null,
      endpoint: null,
    });
    expect(
      parseStorageUrl('s3://my-bucket/a/b/?region=eu-west-1&endpoint=http://127.0.0.1:9000'),
    ).to.deep.equal({
      kind: 's3',
      bucket: 'my-bucket',
      prefix: 'a/b',
      region: 'eu-west-1',
      endpoint: 'http://127.0.0.1:9000',
    });
  });

  it('says what is wrong and never repeats what it was given', () => {
    const bad: readonly (readonly [string, RegExp])[] = [
      ['secret', /not a URL/],
      ['http://secret/', /scheme/],
      ['file://secret/folder', /three slashes/],
      ['file:///', /root folder/],
      ['file:///secret?x=1', /no parameters/],
      ['s3://secret:password@bucket/', /credentials/],
      ['s3://SECRET_bucket', /bucket name/],
      ['s3://bucket/secret/../.x', /segment/],
      ['s3://bucket/?secret=1', /only parameters/],
      ['s3://bucket/?region=se cret', /region/],
      ['s3://bucket/?endpoint=ftp://secret', /endpoint/],
      ['s3://bucket/?endpoint=http://secret:x@host', /endpoint/],
    ];
    for (const [url, message] of bad) {
      expect(() => parseStorageUrl(url), url).to.throw(Error, message);
      expect(() => parseStorageUrl(url), url).not.to.throw(/secret/i);
    }
  });

  it('does not load the SDK of a bucket before it is used', () => {
    const module = new URL('../../core/files/storage.ts', import.meta.url).href;
    const program = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (name.includes('aws')) process.stdout.write('loaded');
        return next(name, context);
      } });
      const { openStorage } = await import(${JSON.stringify(module)});
      openStorage('s3://bucket/prefix');`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect({ stdout, status }).to.deep.equal({ stdout: '', status: 0 });
  });
});
