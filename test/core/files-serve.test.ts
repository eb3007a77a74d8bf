import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseRange } from '../../core/files/byte-range.ts';
import { sandboxPolicy } from '../../core/files/content-headers.ts';
import { decideServe, type ServeDecision, type ServedFile } from '../../core/files/serve.ts';

const modified = new Date('2024-05-06T07:08:09.500Z');
const image: ServedFile = {
  bytes: 1000,
  modified,
  etag: 'abc123',
  mime: 'image/png',
  filename: 'a.png',
  pagePolicy: null,
  immutable: false,
  visibility: 'public',
  crossOrigin: false,
};
const get = (headers: IncomingHttpHeaders, file: Partial<ServedFile> = {}): ServeDecision =>
  decideServe('GET', headers, { ...image, ...file });

describe('ranges of bytes', () => {
  const table: readonly (readonly [string, ReturnType<typeof parseRange>])[] = [
    ['bytes=0-', { start: 0, end: 999 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=990-2000', { start: 990, end: 999 }],
    ['bytes=999-', { start: 999, end: 999 }],
    ['Bytes = 1-2 ', { start: 1, end: 2 }],
    ['bytes=-1', { start: 999, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=1000-1001', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    [`bytes=0-${'9'.repeat(400)}`, { start: 0, end: 999 }],
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=', null],
    ['bytes=0-1,5-6', null],
    ['bytes=a-b', null],
    ['bytes=0x1-2', null],
    ['bytes=-1-2', null],
    ['bytes=1.5-2', null],
    ['items=0-1', null],
    ['', null],
  ];
  for (const [header, range] of table) {
    it(`${header.slice(0, 40)} of 1,000`, () => expect(parseRange(header, 1000)).to.deep.equal(range));
  }

  it('has none in an empty file', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-5'])
      expect(parseRange(header, 0)).to.equal('unsatisfiable');
  });

  it('lies inside the file, always', () => {
    const header = fc.oneof(
      fc.tuple(fc.nat(50), fc.nat(50)).map(([start, end]) => `bytes=${start}-${end}`),
      fc.stringMatching(/^bytes=\d{0,3}-\d{0,3}$/),
      fc.string(),
    );
    const property = fc.property(header, fc.nat(40), (text, bytes) => {
      const range = parseRange(text, bytes);
      if (range === null || range === 'unsatisfiable') return;
      expect(range.start).to.be.within(0, range.end);
      expect(range.end).to.be.below(bytes);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});

describe('answering with a file', () => {
  it('gives the whole file with all it needs', () => {
    expect(get({})).to.deep.equal({
      status: 200,
      range: null,
      headers: {
        ETag: '"abc123"',
        'Last-Modified': 'Mon, 06 May 2024 07:08:09 GMT',
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'public, max-age=0, must-revalidate',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
        'Content-Type': 'image/png',
        'Content-Disposition': `inline; filename="a.png"; filename*=UTF-8''a.png`,
        'Content-Length': '1000',
      },
    });
  });

  it('gives a range, and says what lies past the end', () => {
    const part = get({ range: 'bytes=10-19' });
    expect(part).to.deep.include({ status: 206, range: { start: 10, end: 19 } });
    expect(part.headers).to.include({ 'Content-Range': 'bytes 10-19/1000', 'Content-Length': '10' });
    const past = get({ range: 'bytes=1000-' });
    expect(past).to.deep.include({ status: 416, range: null });
    expect(past.headers).to.include({ 'Content-Range': 'bytes */1000', 'Content-Length': '0' });
    expect(get({ range: 'bytes=0-1,3-4' }).status).to.equal(200);
  });

  it('answers HEAD like GET without ranges', () => {
    const head = decideServe('HEAD', { range: 'bytes=0-1' }, image);
    expect(head).to.deep.equal(get({}));
  });

  it('answers 304 when the copy is still right', () => {
    const fresh: IncomingHttpHeaders[] = [
      { 'if-none-match': '"abc123"' },
      { 'if-none-match': 'W/"abc123"' },
      { 'if-none-match': '"x", "abc123"' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Mon, 06 May 2024 07:08:09 GMT' },
      { 'if-modified-since': 'Tue, 07 May 2024 07:08:09 GMT' },
      { 'if-none-match': '"abc123"', range: 'bytes=0-1' },
    ];
    for (const headers of fresh) {
      const answer = get(headers);
      expect(answer.status, JSON.stringify(headers)).to.equal(304);
      expect(answer.headers).to.include.keys('ETag', 'Cache-Control', 'Last-Modified');
      expect(answer.headers).not.to.have.any.keys('Content-Length', 'Content-Type');
    }
    const stale: IncomingHttpHeaders[] = [
      { 'if-none-match': '"other"' },
      { 'if-none-match': 'abc123' },
      { 'if-none-match': '"other"', 'if-modified-since': 'Tue, 07 May 2024 07:08:09 GMT' },
      { 'if-modified-since': 'Sun, 05 May 2024 07:08:09 GMT' },
      { 'if-modified-since': 'yesterday' },
    ];
    for (const headers of stale) expect(get(headers).status, JSON.stringify(headers)).to.equal(200);
  });

  it('sends a range only of the file that the client has a part of', () => {
    const status = (condition: string): number => get({ range: 'bytes=0-9', 'if-range': condition }).status;
    expect(status('"abc123"')).to.equal(206);
    expect(status('Mon, 06 May 2024 07:08:09 GMT')).to.equal(206);
    for (const condition of ['"old"', 'W/"abc123"', 'Mon, 06 May 2024 07:08:10 GMT', 'nonsense', '']) {
      expect(status(condition), condition).to.equal(200);
    }
  });

  it('caches for a year what has a hash in its name, and nothing private', () => {
    const cache = (file: Partial<ServedFile>): string | undefined => get({}, file).headers['Cache-Control'];
    expect(cache({ immutable: true })).to.equal('public, max-age=31536000, immutable');
    expect(cache({ immutable: true, visibility: 'private' })).to.equal('private, max-age=0, must-revalidate');
    expect(get({}, { visibility: 'private' }).headers['Cross-Origin-Resource-Policy']).to.equal('same-site');
  });

  it('opens to scripts of other origins only where it is told to', () => {
    expect(get({}).headers).not.to.have.property('Access-Control-Allow-Origin');
    const open = get({}, { crossOrigin: true, visibility: 'private' }).headers;
    expect(open).to.include({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    expect(get({ 'if-none-match': '*' }, { crossOrigin: true }).headers).to.include.keys(
      'Access-Control-Allow-Origin',
    );
  });

  it('lets nothing run that a browser could run', () => {
    const active = [
      'text/html',
      'application/xhtml+xml',
      'image/svg+xml',
      'application/xml',
      'text/xml',
      'application/rss+xml',
      'text/javascript',
      'application/javascript',
      'application/x-shockwave-flash',
    ];
    for (const mime of active) {
      const { headers } = get({}, { mime });
      expect(headers['Content-Type'], mime).to.equal(mime);
      expect(headers['Content-Disposition'], mime).to.match(/^attachment; /);
      expect(headers['Content-Security-Policy'], mime).to.equal("default-src 'none'; sandbox");
      expect(get({ range: 'bytes=0-1' }, { mime }).headers).to.include.keys('Content-Security-Policy');
      expect(get({}, { mime, filename: null }).headers['Content-Disposition'], mime).to.equal('attachment');
    }
  });

  it('shows media, text and PDF, and saves the rest', () => {
    const shown = [
      'video/mp4',
      'audio/mpeg',
      'application/pdf',
      'text/plain',
      'text/vtt',
      'application/vnd.apple.mpegurl',
    ];
    for (const mime of shown) {
      const { headers } = get({}, { mime });
      expect(headers['Content-Disposition'], mime).to.match(/^inline; /);
      expect(headers, mime).not.to.have.property('Content-Security-Policy');
    }
    for (const mime of [
      'application/zip',
      'application/octet-stream',
      'application/msword',
      'message/rfc822',
    ]) {
      expect(get({}, { mime }).headers['Content-Disposition'], mime).to.match(/^attachment; /);
    }
    expect(get({}, { filename: null }).headers).not.to.have.property('Content-Disposition');
  });

  it('names the charset of text', () => {
    expect(get({}, { mime: 'text/plain' }).headers['Content-Type']).to.equal('text/plain; charset=utf-8');
    expect(get({}, { mime: 'text/vtt' }).headers['Content-Type']).to.equal('text/vtt; charset=utf-8');
  });

  it('shows pages of a build under its policy, in every answer, and takes no service worker', () => {
    const build = { mime: 'text/html', filename: null, pagePolicy: sandboxPolicy };
    const { headers } = get({}, build);
    expect(headers).to.include({ 'Content-Type': 'text/html', 'Content-Security-Policy': sandboxPolicy });
    expect(headers).not.to.have.property('Content-Disposition');
    expect(sandboxPolicy).not.to.contain('allow-same-origin');
    for (const request of [{ 'if-none-match': '*' }, { range: 'bytes=1-2' }, { range: 'bytes=5000-' }]) {
      expect(get(request, build).headers['Content-Security-Policy']).to.equal(sandboxPolicy);
    }
    expect(get({}, { ...build, mime: 'image/png' }).headers['Content-Security-Policy']).to.equal(
      sandboxPolicy,
    );
    expect(get({}, { ...build, mime: 'application/octet-stream' }).headers['Content-Disposition']).to.equal(
      'attachment',
    );
    expect(get({ 'service-worker': 'script' }, build).status).to.equal(403);
    expect(get({ 'service-worker': 'script' }).status).to.equal(200);
  });
});
