import { Readable } from 'node:stream';
import { expect } from 'chai';
import { type EndOptions, ZipFile } from 'yazl';
import { PackageKit, space } from './package-kit.ts';
import { zip, zipOf } from './zip-maker.ts';

async function made(fill: (file: ZipFile) => void, end: Partial<EndOptions> = {}): Promise<Buffer> {
  const file = new ZipFile();
  fill(file);
  file.end({ forceZip64Format: false, comment: '', ...end });
  return Buffer.concat((await Readable.from(file.outputStream).toArray()) as Buffer[]);
}

describe('embed_packages: archives of every maker', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start();
  });
  after(() => kit.lyceum.stop());

  const taken = async (content: Buffer) => (await kit.upload(content).expect(201)).body;
  const text = async (record: { files_url: string }, path: string) =>
    (await kit.ask(`${record.files_url}${path}`)).text;

  it('are taken with sizes in 64 bits, behind the data, and with a comment', async () => {
    const wide = await made(
      (file) => {
        file.addBuffer(Buffer.from('wide'), 'index.html', { forceZip64Format: true });
        file.addBuffer(Buffer.from('stored'), 'a.txt', { forceZip64Format: true, compress: false });
      },
      { forceZip64Format: true },
    );
    const record = await taken(wide);
    expect([await text(record, 'index.html'), await text(record, 'a.txt')]).to.deep.equal(['wide', 'stored']);
    const streamed = await made((file) => {
      file.addReadStream(Readable.from([Buffer.from('streamed')]), 'index.html');
      file.addEmptyDirectory('empty');
    });
    expect(await text(await taken(streamed), 'index.html')).to.equal('streamed');
    const commented = await made((file) => file.addBuffer(Buffer.from('x'), 'index.html'), {
      comment: 'PK?',
    });
    expect((await taken(commented)).files).to.equal(1);
  });

  it('have names in the letters that they were written in', async () => {
    const record = await taken(
      zip([
        { name: 'index.html', data: 'x' },
        { name: Buffer.from('macOS/ж й.css'), data: 'utf-8 that does not say so' },
        { name: Buffer.from([0x81, 0x2e, 0x63, 0x73, 0x73]), data: 'code page 437' },
        { name: './dotted//twice.css', data: 'tidied up' },
      ]),
    );
    expect(await text(record, `macOS/${encodeURIComponent('ж й.css')}`)).to.equal(
      'utf-8 that does not say so',
    );
    expect(await text(record, `${encodeURIComponent('ü')}.css`)).to.equal('code page 437');
    expect(await text(record, 'dotted/twice.css')).to.equal('tidied up');
  });

  it('may hold empty files, and what packs very well as long as it is small', async () => {
    const record = await taken(zipOf({ 'index.html': '', 'zeros.bin': Buffer.alloc(20_000) }));
    expect(record).to.deep.include({ files: 2, bytes: 20_000 });
    expect(await text(record, 'index.html')).to.equal('');
    expect((await kit.ask(`${record.files_url}index.html`, { Range: 'bytes=0-' })).status).to.be.oneOf([
      200, 416,
    ]);
  });

  it('are told from HTML by their content, whatever they are called', async () => {
    const named = await kit.upload(zipOf({ 'index.html': 'x', 'b.css': 'y' }), {}, 'page.html').expect(201);
    expect(named.body).to.deep.include({ source: 'zip', files: 2, title: 'page' });
    const page = await kit.upload(Buffer.from('<!DOCTYPE html><p>x'), {}, 'course.zip').expect(201);
    expect(page.body).to.deep.include({ source: 'html', files: 1 });
    const picture = await kit.upload(Buffer.from('89504e470d0a1a0a00', 'hex'), {}, 'x.html').expect(400);
    expect(picture.body.data.reason).to.equal('not_zip');
    const words = await kit.upload(Buffer.from('words'), {}, 'x.zip').expect(400);
    expect(words.body.data).to.deep.equal({ status: 400, reason: 'not_zip', entry: null });
  });

  it('give a record that is answered with 304 as long as it stays', async () => {
    const record = await taken(zipOf({ 'index.html': 'x' }));
    const route = `${space}/packages/${record.id}`;
    const { headers } = await kit.admin.get(route).expect(200);
    await kit.admin.get(route).set('If-None-Match', String(headers.etag)).expect(304);
    await kit.admin.patch(route, { title: 'Other' }).expect(200);
    await kit.admin.get(route).set('If-None-Match', String(headers.etag)).expect(200);
  });

  it('sent twice with one key are one package', async () => {
    const content = zipOf({ 'index.html': 'x' });
    const send = () => kit.upload(content).set('Idempotency-Key', 'one');
    const [first, second] = [await send().expect(201), await send().expect(201)];
    expect(second.body).to.deep.equal(first.body);
    const other = await kit
      .upload(zipOf({ 'index.html': 'y' }))
      .set('Idempotency-Key', 'one')
      .expect(422);
    expect(other.body.code).to.equal('idempotency_key_reused');
  });

  it('are served to a signed-in reader as to anybody: no nonce, no cookie, no longer session', async () => {
    const record = await taken(zipOf({ 'index.html': 'x' }));
    const { signed } = await kit.lyceum.make.session(1);
    const [own, nobody] = [await kit.ask(record.url, signed.headers), await kit.ask(record.url)];
    const named = (headers: Headers) => [...headers.keys()].sort();
    expect(named(own.headers)).to.deep.equal(named(nobody.headers));
    expect(named(own.headers)).to.not.include('x-svc-nonce').and.not.include('set-cookie');
    await kit.lyceum.make.settings('host', { allowed_origins: ['https://friend.example'] });
    const friend = await kit.ask(record.url, { Origin: 'https://friend.example' });
    expect(friend.headers.get('access-control-allow-origin')).to.equal('*');
    expect(friend.headers.get('access-control-allow-credentials')).to.equal(null);
  });
});
