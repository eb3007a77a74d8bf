import { constants, deflateRawSync } from 'node:zlib';
import { endOf, type ZipEntry, zip, zipOf } from './zip-maker.ts';

/** An archive that must be refused, and the word for why. */
export interface Hostile {
  readonly name: string;
  readonly content: Buffer;
  /** More than one where the order of looking is nobody's business. */
  readonly reasons: readonly string[];
}

const good: ZipEntry = { name: 'index.html', data: '<title>Good</title>' };
const evil = (name: string | Buffer, more: Partial<ZipEntry> = {}): Buffer =>
  zip([good, { name, data: 'evil', ...more }]);

const link = 0o120777;

/** Zeros, deflated: a megabyte of them as often as it takes, and the end. */
function zeros(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1024 * 1024), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array<Buffer>(mebibytes).fill(piece), deflateRawSync('')]);
}

/** One kernel of packed data for every entry: 42 kB that unpack to 4 GiB and more. */
function sharedKernel(kernel: Buffer, bytes: number, entries: number): Buffer {
  const one = zip([{ name: 'a.html', packed: kernel, both: { bytes } }]);
  const start = one.indexOf('PK\x01\x02', 0, 'latin1');
  const central = one.subarray(start, one.length - 22);
  const many = Array.from({ length: entries }, (_none, at) => {
    const copy = Buffer.from(central);
    copy.write(`${String.fromCharCode(97 + (at % 26))}`, 46, 'latin1');
    return copy;
  });
  const directory = Buffer.concat(many);
  return Buffer.concat([one.subarray(0, start), directory, endOf(entries, directory.length, start)]);
}

/**
 * Each entry's data begins with the header of the next one, quoted as a stored block of deflate, and ends with the
 * kernel that all of them share.
 */
function quoted(kernel: Buffer, kernelBytes: number, entries: number): Buffer {
  const names = Array.from({ length: entries }, (_none, at) => Buffer.from(`${at}.html`));
  const headers: Buffer[] = [];
  let tail = kernel;
  let bytes = kernelBytes;
  for (const name of [...names].reverse()) {
    const whole = zip([{ name, packed: tail, both: { bytes, flags: 0 } }]);
    const header = whole.subarray(0, 30 + name.length);
    headers.unshift(header);
    const block = Buffer.alloc(5);
    block.writeUInt16LE(header.length, 1);
    block.writeUInt16LE(~header.length & 0xffff, 3);
    bytes += header.length;
    tail = Buffer.concat([block, header, tail]);
  }
  // The outermost quotation mark is no one's.
  const body = tail.subarray(5);
  const directory: Buffer[] = [];
  let at = 0;
  for (const [index, header] of headers.entries()) {
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    header.copy(central, 6, 4, 30);
    central.writeUInt16LE(0, 30);
    central.writeUInt32LE(at, 42);
    directory.push(Buffer.concat([central, names[index] ?? Buffer.alloc(0)]));
    at += header.length + 5;
  }
  const list = Buffer.concat(directory);
  return Buffer.concat([body, list, endOf(entries, list.length, body.length)]);
}

const cut = (archive: Buffer, bytes: number): Buffer => archive.subarray(0, archive.length - bytes);

/** Changes one byte of the packed data of the first entry. */
function damaged(): Buffer {
  const archive = zip([{ name: 'index.html', data: 'a'.repeat(100), deflate: false }]);
  archive[30 + 'index.html'.length + 50] = 0x62;
  return archive;
}

const zip64Lie = (): Buffer => zip([good, { name: 'x.html', data: 'x', both: { bytes: 0xffffffff } }]);

function partOfSeveral(): Buffer {
  const archive = zip([good]);
  archive.writeUInt16LE(1, archive.length - 18);
  return archive;
}

/** Ten thousand paths of 500 folders each, of which one is a file, too. */
const deep = (): ZipEntry[] => {
  const folders = 'x/'.repeat(480);
  const names = Array.from({ length: 9_998 }, (_none, at) => ({ name: `${folders}${at}.html` }));
  return [...names, { name: folders.slice(0, -1) }];
};

/** Everything that was thought of. */
export function hostileArchives(): Hostile[] {
  const bomb = zeros(4096);
  const kernel = zeros(20);
  const small = deflateRawSync(Buffer.alloc(100_000));
  const of = (name: string, content: Buffer, ...reasons: string[]): Hostile => ({ name, content, reasons });
  return [
    of('traversal', evil('../evil.txt'), 'unsafe_path'),
    of('traversal inside', evil('a/../../../etc/passwd'), 'unsafe_path'),
    of('traversal that stays', evil('a/../b.html'), 'unsafe_path'),
    of('a folder of traversal', evil('../'), 'unsafe_path'),
    of('absolute', evil('/etc/cron.d/evil'), 'unsafe_path'),
    of('two slashes', evil('//server/share/evil'), 'unsafe_path'),
    of('drive letter', evil('C:\\evil.txt'), 'unsafe_path'),
    of('drive letter with a slash', evil('c:/evil.txt'), 'unsafe_path'),
    of('backslashes', evil('..\\evil.txt'), 'unsafe_path'),
    of('NUL', evil('evil.html\0.png'), 'unsafe_path'),
    of('new line', evil('evil\n.html'), 'unsafe_path'),
    of('no name', evil(''), 'unsafe_path'),
    of(
      'a name that is no UTF-8 and says it is',
      evil(Buffer.from([0xff, 0xfe]), { both: { flags: 0x800 } }),
      'unsafe_path',
    ),
    of('a segment of 256 bytes', evil(`${'x'.repeat(256)}.html`), 'unsafe_path'),
    of('a path of 1,025 bytes', evil(`${'x/'.repeat(510)}y.html`), 'unsafe_path'),
    of('a path of 30,000 bytes', evil('x/'.repeat(15_000)), 'unsafe_path'),
    of('traversal in what is skipped', evil('__MACOSX/../../evil'), 'unsafe_path'),
    of('symbolic link', evil('passwd', { data: '/etc/passwd', mode: link }), 'link'),
    of(
      'symbolic link to a folder',
      zip([good, { name: 'd', data: '/tmp', mode: link }, { name: 'd/x', data: 'x' }]),
      'link',
    ),
    of('device', evil('null', { mode: 0o020666 }), 'link'),
    of('pipe', evil('pipe', { mode: 0o010666 }), 'link'),
    of('encrypted', evil('x.html', { both: { flags: 0x801 } }), 'encrypted'),
    of('strongly encrypted', evil('x.html', { both: { flags: 0x841 } }), 'encrypted'),
    of('encrypted by AES', evil('x.html', { both: { method: 99 } }), 'encrypted'),
    of(
      'encrypted where the directory does not say so',
      evil('x.html', { local: { flags: 0x801 } }),
      'encrypted',
    ),
    of('unsupported method', evil('x.html', { both: { method: 12 } }), 'unsupported_method'),
    of('unsupported method 65535', evil('x.html', { both: { method: 0xffff } }), 'unsupported_method'),
    of('the same name twice', zip([good, good]), 'duplicate'),
    of('the same name in capitals', zip([good, { name: 'INDEX.HTML', data: 'x' }]), 'duplicate'),
    of('the same name in another form', zip([{ name: 'é.html' }, { name: 'e\u0301.html' }]), 'duplicate'),
    of('a file that is a folder', zip([good, { name: 'a' }, { name: 'A/b.html', data: 'x' }]), 'duplicate'),
    of(
      'one place for two',
      zip([good, { name: 'indey.html', offset: 0, onlyCentral: true, data: good.data ?? '' }]),
      'overlap',
    ),
    of('one kernel for 250', sharedKernel(kernel, 20 * 1024 * 1024, 26), 'overlap', 'duplicate'),
    of('quoted headers, small', quoted(small, 100_000, 20), 'overlap'),
    of('quoted headers, 42 kB to 5 GiB', quoted(kernel, 20 * 1024 * 1024, 250), 'overlap'),
    of(
      'data that is the directory',
      evil('x.html', { both: { packedBytes: 60, bytes: 60, method: 0 } }),
      'overlap',
      'not_zip',
    ),
    of(
      '4 GiB of zeros',
      zip([good, { name: 'zeros.html', packed: bomb, both: { bytes: 0xfffffffe } }]),
      'too_large',
      'ratio',
    ),
    of(
      '4 GiB of zeros that say 100 bytes',
      zip([good, { name: 'zeros.html', packed: bomb, both: { bytes: 100 } }]),
      'ratio',
      'not_zip',
    ),
    of(
      '4 GiB in pieces',
      zip(
        Array.from({ length: 60 }, (_none, at) => ({
          name: `${at}.html`,
          packed: kernel,
          both: { bytes: 20 * 1024 * 1024 },
        })),
      ),
      'ratio',
    ),
    of(
      'one entry of 1,000 to 1',
      zip([good, { name: 'z.bin', data: Buffer.alloc(4 * 1024 * 1024) }]),
      'ratio',
    ),
    of(
      'many small ones of 1,000 to 1',
      zip(Array.from({ length: 30 }, (_none, at) => ({ name: `${at}.html`, data: Buffer.alloc(1_000_000) }))),
      'ratio',
    ),
    of('fewer bytes than it says', evil('x.html', { both: { bytes: 400 } }), 'not_zip'),
    of('more bytes than it says', evil('x.html', { both: { bytes: 2 } }), 'not_zip'),
    of('4 GiB that is said in 64 bits and is not there', zip64Lie(), 'too_large', 'not_zip'),
    of('wrong checksum', evil('x.html', { both: { crc: 7 } }), 'not_zip'),
    of('damaged data', damaged(), 'not_zip'),
    of('data that is no deflate', evil('x.html', { packed: Buffer.from('not packed at all') }), 'not_zip'),
    of(
      'something behind the packed data',
      evil('x.html', { packed: Buffer.concat([deflateRawSync('evil'), Buffer.from('more')]) }),
      'not_zip',
    ),
    of(
      'packed data that ends early',
      evil('x.html', { packed: deflateRawSync('evil'.repeat(50)).subarray(0, 5) }),
      'not_zip',
    ),
    of(
      'other name in the local header',
      evil('x.html', { local: { name: Buffer.from('../../x') } }),
      'not_zip',
    ),
    of('other method in the local header', evil('x.html', { local: { method: 0 } }), 'not_zip'),
    of('other sizes in the local header', evil('x.html', { local: { bytes: 9 } }), 'not_zip'),
    of('other checksum in the local header', evil('x.html', { local: { crc: 9 } }), 'not_zip'),
    of('a directory that leads elsewhere', evil('x.html', { offset: 3 }), 'not_zip', 'overlap'),
    of('a directory that leads behind the end', evil('x.html', { offset: 1_000_000 }), 'not_zip', 'overlap'),
    of('a directory that says less', zip([good, { name: '../evil.html' }], 1), 'not_zip'),
    of('a directory that says more', zip([good], 9), 'not_zip'),
    of('truncated by a byte', cut(zipOf({ 'index.html': 'x' }), 1), 'not_zip'),
    of('truncated in the middle', cut(zipOf({ 'index.html': 'x'.repeat(500) }), 60), 'not_zip'),
    of('its beginning only', Buffer.from('PK\x03\x04', 'latin1'), 'not_zip'),
    of('another format', Buffer.from('%PDF-1.7\n%\xff\xff', 'latin1'), 'not_zip'),
    of('a part of several', partOfSeveral(), 'not_zip'),
    of('10,000 deep paths', zip(deep()), 'duplicate'),
    of(
      '10,001 files',
      zip(Array.from({ length: 10_001 }, (_none, at) => ({ name: `${at}.html` }))),
      'too_many_files',
    ),
    of(
      '60,000 folders',
      zip(Array.from({ length: 60_000 }, (_none, at) => ({ name: `${at}/`, deflate: false }))),
      'too_many_files',
    ),
  ];
}
