import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { detectContentType } from '../../core/files/content-type.ts';
import { HEAD_BYTES } from '../../core/files/head.ts';
import { mimeOfExtension } from '../../core/files/mime-types.ts';
import { cpuMsUntil } from '../kit/cpu-time.ts';
import { samples } from './files-samples.ts';

const utf8 = (text: string): Buffer => Buffer.from(text);
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const zip = (...names: string[]): Buffer => Buffer.concat(names.map(zipEntry));
const office = (kind: string): string => `application/vnd.openxmlformats-officedocument.${kind}`;

/** Content, extension, the type it is accepted as. */
const accepted: readonly (readonly [string, Buffer, string, string])[] = [
  ['JPEG', samples.jpg, 'jpg', 'image/jpeg'],
  ['JPEG', samples.jpg, 'jpeg', 'image/jpeg'],
  ['PNG', samples.png, 'png', 'image/png'],
  ['GIF', samples.gif, 'gif', 'image/gif'],
  ['WebP', samples.webpLossy, 'webp', 'image/webp'],
  ['AVIF', samples.avif, 'avif', 'image/avif'],
  ['AVIF with the brand of HEIF first', withBrands('mif1', 'miaf', 'avif'), 'avif', 'image/avif'],
  ['PDF', utf8('%PDF-1.7\n%âãÏÓ\n'), 'pdf', 'application/pdf'],
  ['MP3 with a tag', samples.mp3, 'mp3', 'audio/mpeg'],
  ['MP3 without a tag', samples.mp3Bare, 'mp3', 'audio/mpeg'],
  ['MP3 with a picture past the head', samples.mp3Cover, 'mp3', 'audio/mpeg'],
  ['MP3 behind zeros', Buffer.concat([Buffer.alloc(40), samples.mp3Bare]), 'mp3', 'audio/mpeg'],
  ['M4A', samples.m4a, 'm4a', 'audio/mp4'],
  ['MP4 named as sound', samples.mp4, 'm4a', 'audio/mp4'],
  ['Vorbis', samples.ogg, 'ogg', 'audio/ogg'],
  ['Opus', samples.opus, 'opus', 'audio/ogg'],
  ['Opus in an .ogg', samples.opus, 'ogg', 'audio/ogg'],
  ['WAV', samples.wav, 'wav', 'audio/wav'],
  ['FLAC', samples.flac, 'flac', 'audio/flac'],
  ['MP4', samples.mp4, 'mp4', 'video/mp4'],
  ['M4V', samples.m4v, 'm4v', 'video/mp4'],
  ['MOV', samples.mov, 'mov', 'video/quicktime'],
  ['MP4 in a .mov', samples.mp4, 'mov', 'video/quicktime'],
  ['WebM', samples.webm, 'webm', 'video/webm'],
  ['Matroska', samples.mkv, 'mkv', 'video/matroska'],
  ['WebM in a .mkv', samples.webm, 'mkv', 'video/matroska'],
  ['AVI', samples.avi, 'avi', 'video/vnd.avi'],
  ['zip', zip('a.txt'), 'zip', 'application/zip'],
  ['empty zip', Buffer.from('PK\x05\x06'.padEnd(22, '\0')), 'zip', 'application/zip'],
  [
    'course package with a Java manifest',
    zip('META-INF/MANIFEST.MF', 'imsmanifest.xml'),
    'zip',
    'application/zip',
  ],
  ['docx', samples.docx, 'docx', office('wordprocessingml.document')],
  [
    'docx known by its folder',
    zip('_rels/.rels', 'word/document.xml'),
    'docx',
    office('wordprocessingml.document'),
  ],
  ['docx known by its list', zip('[Content_Types].xml'), 'docx', office('wordprocessingml.document')],
  ['xlsx', zip('[Content_Types].xml', 'xl/workbook.xml'), 'xlsx', office('spreadsheetml.sheet')],
  ['pptx', zip('docProps/app.xml', 'ppt/presentation.xml'), 'pptx', office('presentationml.presentation')],
  ['text', utf8('BMW and GIF are words, MP+ is not.\r\n\tПривет\f'), 'txt', 'text/plain'],
  ['text in windows-1251', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a]), 'txt', 'text/plain'],
  ['text in UTF-16', utf16('Привет, world'), 'txt', 'text/plain'],
  ['text cut inside a character', utf8('Приве€').subarray(0, -1), 'txt', 'text/plain'],
  ['text with a tag later on', utf8('How to write <script>'), 'txt', 'text/plain'],
  ['text that only looks like a tag', utf8('<abc@example.org> wrote'), 'txt', 'text/plain'],
  ['CSV', utf8('\ufeffa;b\n1;2\n'), 'csv', 'text/csv'],
  ['WebVTT', utf8('WEBVTT\n\n00:01.000 --> 00:02.000\nHi'), 'vtt', 'text/vtt'],
  ['WebVTT with mark and title', utf8('\ufeffWEBVTT - title\r\n'), 'vtt', 'text/vtt'],
  ['SRT', utf8('1\r\n00:00:01,000 --> 00:00:02,000\r\nHi'), 'srt', 'application/x-subrip'],
  ['SRT without counters', utf8('\n00:00:01,000 --> 00:00:02,000\nHi'), 'srt', 'application/x-subrip'],
  ['SRT in UTF-16', utf16('1\n00:00:01,000 --> 00:00:02,000\nHi'), 'srt', 'application/x-subrip'],
  ['SVG asked for', utf8('<?xml version="1.0"?>\n<!-- c --><svg xmlns="x"/>'), 'svg', 'image/svg+xml'],
  ['HTML asked for', utf8(' <!DOCTYPE html><p>'), 'html', 'text/html'],
  ['XML asked for', utf8('<?xml version="1.0"?><a/>'), 'xml', 'application/xml'],
  ['a type the library alone knows', utf8('8BPS\0\x01'), 'psd', 'image/vnd.adobe.photoshop'],
  ['gzip', gzipSync('hello'), 'gz', 'application/gzip'],
  ['PNG without extension', samples.png, '', 'image/png'],
  ['MP3 without extension', samples.mp3, '', 'audio/mpeg'],
];

const html = utf8('\ufeff \n<!DOCTYPE html><html><script>alert(1)</script>');
const php = utf8('<?php system($_GET["c"]);');
const exe = Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0', 'latin1');
const elf = Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1');

const refused: readonly (readonly [string, Buffer, string])[] = [
  ...['png', 'jpg', 'txt', 'csv', 'vtt', 'srt', 'zip', 'pdf', 'mp4', 'mov', 'mp3', 'docx', ''].flatMap(
    (extension) =>
      [html, php, exe, elf].map(
        (bytes) => [`hostile ${bytes.toString('latin1', 0, 12)}`, bytes, extension] as const,
      ),
  ),
  ['an empty file', Buffer.alloc(0), 'txt'],
  ['HTML behind a fake box', utf8('<!--moov--><script>alert(1)</script>'), 'mov'],
  ['HTML in UTF-16', utf16('<html><script>'), 'txt'],
  ['SVG', utf8('<svg onload="alert(1)"/>'), 'png'],
  ['SVG', utf8('<svg onload="alert(1)"/>'), 'txt'],
  ['XML', utf8('<?xml version="1.0"?><svg/>'), 'txt'],
  ['script', utf8('#!/bin/sh\nrm -rf /'), 'txt'],
  ['PHP where HTML is asked for', php, 'html'],
  ['PHP where XML is asked for', utf8('<?= 1 ?><a/>'), 'xml'],
  ['a program where programs are asked for', exe, 'exe'],
  ['HTML where SVG is asked for', html, 'svg'],
  ['PNG where HTML is asked for', samples.png, 'html'],
  ['text with a NUL', utf8('abc\0def'), 'txt'],
  ['text in UTF-16 without mark', Buffer.from('abc', 'utf16le'), 'txt'],
  ['random bytes', Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 167 + 13) & 255)), 'txt'],
  ['PDF', utf8('%PDF-1.7\n'), 'txt'],
  ['RTF', utf8('{\\rtf1 hello}'), 'txt'],
  ['JPEG', samples.jpg, 'png'],
  ['PNG', samples.png, 'jpg'],
  ['PNG', samples.png, 'mp4'],
  ['AVIF', samples.avif, 'mp4'],
  ['MP4', samples.mp4, 'avif'],
  ['HEIC', withBrands('mif1', 'heic'), 'avif'],
  ['Matroska', samples.mkv, 'webm'],
  ['WebM', samples.webm, 'mp4'],
  ['FLAC', samples.flac, 'mp3'],
  ['three letters of a GIF', utf8('GIF is a format'), 'gif'],
  ['two bytes of an MP3, which are UTF-16 too', utf16('hello'), 'mp3'],
  [
    'one frame that none follows',
    Buffer.concat([samples.mp3Bare.subarray(0, 90), Buffer.alloc(300, 65)]),
    'mp3',
  ],
  ['zip', zip('a.txt'), 'docx'],
  ['xlsx', zip('[Content_Types].xml', 'xl/workbook.xml'), 'docx'],
  ['docx', samples.docx, 'xlsx'],
  ['zip', zip('a.txt'), 'epub'],
  ['text', utf8('hello'), 'zip'],
  ['WebVTT with another word', utf8('WEBVTTX\n'), 'vtt'],
  ['WebVTT that does not begin so', utf8('\nWEBVTT\n'), 'vtt'],
  ['text', utf8('1\nhello\n00:00:01,000 --> 00:00:02,000'), 'srt'],
  ['text', utf8('hello'), ''],
  ['text', utf8('hello'), 'constructor'],
  ['zip with a list of types', zip('[Content_Types].xml'), 'constructor'],
  ['text', utf8('hello'), '__proto__'],
];

describe('the type of an upload', () => {
  for (const [what, bytes, extension, mime] of accepted) {
    it(`takes ${what} as .${extension}`, async () => {
      const type = await detectContentType(bytes, extension);
      expect(type?.mime).to.equal(mime);
      if (extension !== '') expect(type?.extension).to.equal(extension);
    });
  }

  it('names a file without extension after its content', async () => {
    expect(await detectContentType(samples.webm, '')).to.deep.equal({
      mime: 'video/webm',
      extension: 'webm',
    });
    expect(await detectContentType(zip('a'), '')).to.deep.equal({
      mime: 'application/zip',
      extension: 'zip',
    });
  });

  for (const [what, bytes, extension] of refused) {
    it(`refuses ${JSON.stringify(what)} as .${extension}`, async () => {
      expect(await detectContentType(bytes, extension)).to.equal(null);
    });
  }

  it('answers on any bytes, also broken ones, and never throws', async () => {
    const seeds = Object.values(samples);
    const names = ['', 'png', 'txt', 'svg', 'srt', 'mp3', 'mp4', 'docx', 'gz', 'bin'];
    const broken = fc
      .tuple(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 8 }),
        fc.nat(300),
      )
      .map(([seed, changes, length]) => {
        const bytes = Buffer.from(seed.subarray(0, length));
        for (const [at, value] of changes) if (at < bytes.byteLength) bytes[at] = value;
        return bytes;
      });
    const property = fc.asyncProperty(broken, fc.constantFrom(...names), async (bytes, extension) => {
      const type = await detectContentType(bytes, extension);
      if (type !== null && extension !== '') expect(type.extension).to.equal(extension);
    });
    await fc.assert(property, { numRuns: 3000 });
  });

  it('is quick on heads made to be slow', async () => {
    const patterns = [
      '\n',
      '1\n',
      '<!--',
      '<!-->',
      '<?',
      '<',
      ' ',
      'PK\x03\x04',
      'ID3\x04\0\0\0\0\0\0',
      '\0',
      'a',
    ];
    for (const pattern of patterns) {
      const head = Buffer.alloc(HEAD_BYTES, pattern, 'latin1');
      for (const extension of ['svg', 'html', 'txt', 'srt', 'vtt', 'docx', 'mp3', 'png']) {
        const spent = await cpuMsUntil(() => detectContentType(head, extension));
        expect(spent, `${JSON.stringify(pattern)} as ${extension}`).to.be.below(200);
      }
    }
  });
});

describe('the type by extension', () => {
  it('is what players and browsers expect', () => {
    expect(mimeOfExtension('m3u8')).to.equal('application/vnd.apple.mpegurl');
    expect(mimeOfExtension('ts')).to.equal('video/mp2t');
    expect(mimeOfExtension('js')).to.equal('text/javascript');
  });

  it('is the unknown one for all else', () => {
    for (const name of ['', 'php', 'htaccess', 'constructor', '__proto__', 'PNG', '.png']) {
      expect(mimeOfExtension(name), name).to.equal('application/octet-stream');
    }
  });
});

/** A stored, empty entry of a zip archive. */
function zipEntry(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

/** The first box of a file: its major brand, a version, then all brands it is compatible with. */
function withBrands(...brands: string[]): Buffer {
  const box = Buffer.concat([Buffer.from(`\0\0\0\0ftyp${brands[0]}\0\0\0\0${brands.join('')}`, 'latin1')]);
  box.writeUInt32BE(box.byteLength, 0);
  return Buffer.concat([box, Buffer.from('\0\0\0\x08free', 'latin1')]);
}
