import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { commonArguments, runFfmpeg } from '../ffmpeg/run-ffmpeg.ts';
import { sourceArguments } from '../ffmpeg/source-arguments.ts';
import { MediaKit, route } from './media-kit.ts';

/** What people who mean harm call a film. */
describe('media_converter: hostile files', () => {
  let kit: MediaKit;
  let bait: Server;
  let calls = 0;
  before(async () => {
    kit = await MediaKit.start();
    bait = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    bait.close();
    await kit.stop();
  });

  const { signal } = new AbortController();
  const url = (): string => `http://127.0.0.1:${(bait.address() as AddressInfo).port}/a.ts`;

  it('that are no media are refused, nothing else is read, and nobody is called', async () => {
    const film = await kit.film('64x64', 1);
    const secret = path.join(kit.folder(), 'film.mp4');
    const corpus: Record<string, Buffer | string> = {
      'hls of a file': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
      'hls of a film': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:${secret}\n#EXT-X-ENDLIST\n`,
      'hls of a server': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url()}\n#EXT-X-ENDLIST\n`,
      'concat script': `ffconcat version 1.0\nfile 'film.mp4'\n`,
      'concat protocol': `concat:${secret}|${secret}`,
      'dash manifest': `<?xml version="1.0"?><MPD><Period><BaseURL>${url()}</BaseURL></Period></MPD>`,
      'session description': 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n',
      'vector image': `<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>`,
      html: '<!doctype html><script>alert(1)</script>',
      nothing: Buffer.alloc(5_000),
      noise: Buffer.from(Array.from({ length: 4_096 }, (_none, n) => (n * 7919) % 251)),
      'a broken index': Buffer.concat([film.subarray(0, 40), Buffer.alloc(500, 0xff)]),
    };
    for (const [name, content] of Object.entries(corpus)) {
      const answer = await kit.author
        .post(`${route}/media`)
        .attach('file', Buffer.from(content), 'a.mp4')
        .expect(400);
      expect(answer.body.code, name).to.equal('invalid_media');
      expect(answer.body.data.reason, name).to.be.oneOf([
        ...['not_media', 'container_not_allowed', 'no_streams', 'no_duration'],
      ]);
      expect(JSON.stringify(answer.body), name).not.to.include('root:');
    }
    expect(calls).to.equal(0);
    expect(await kit.lyceum.host.db.knex('attachments')).to.deep.equal([]);
  }).timeout(60_000);

  it('that are playlists are not followed by ffmpeg either, whatever came past the door', async () => {
    for (const content of [
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url()}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile 'film.mp4'\n`,
    ]) {
      const file = path.join(kit.folder(), 'evil.mp4');
      await writeFile(file, content);
      const limits = { threads: 1, maxPixels: 1_000_000 };
      const ended = await runFfmpeg({
        command: kit.command('ffmpeg'),
        args: [
          ...commonArguments,
          ...sourceArguments({ file, info: null as never }, limits, null),
          '-f',
          'null',
          '-',
        ],
        ...{ folder: kit.folder(), timeLimitMs: 20_000, signal, onProgress: () => undefined },
      });
      expect(ended.kind).to.equal('failed');
    }
    expect(calls).to.equal(0);
  });

  it('that want more memory than there is fail, and others go on', async () => {
    const ended = await runFfmpeg({
      command: kit.command('ffmpeg'),
      // 30,000 by 30,000 pixels in four bytes each.
      args: [
        ...commonArguments,
        '-f',
        'lavfi',
        '-i',
        'color=s=30000x30000:d=1,format=rgba',
        '-f',
        'null',
        '-',
      ],
      ...{ folder: kit.folder(), timeLimitMs: 20_000, signal, onProgress: () => undefined },
    });
    expect(ended.kind).to.equal('failed');
    const id = await kit.upload(await kit.film('64x64', 1));
    expect((await kit.ended(await kit.encode(id, ['mp4_480']))).status).to.equal('completed');
  }).timeout(60_000);

  it('that never end are ended', async () => {
    const began = Date.now();
    const ended = await runFfmpeg({
      command: kit.command('ffmpeg'),
      args: [...commonArguments, '-re', '-f', 'lavfi', '-i', 'color=s=16x16', '-f', 'null', '-'],
      ...{ folder: kit.folder(), timeLimitMs: 300, signal, onProgress: () => undefined },
    });
    expect(ended.kind).to.equal('late');
    expect(Date.now() - began).to.be.lessThan(10_000);
  });

  it('that are two things at once are the film that they are', async () => {
    const film = await kit.film('64x64', 1);
    const both = Buffer.concat([film, Buffer.from('\n<script>alert(1)</script>')]);
    const { body } = await kit.author.post(`${route}/media`).attach('file', both, 'a.html').expect(201);
    expect(body.mime_type).to.equal('video/mp4');
    expect(body.url).to.match(/\.mp4$/);
    const served = await fetch(`${kit.lyceum.origin}${new URL(body.url).pathname}`);
    expect(served.headers.get('content-type')).to.equal('video/mp4');
    expect(served.headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('that are too long, too large or too many are refused', async () => {
    const film = await kit.film('64x64', 3);
    const refused = async (content: Buffer): Promise<string> => {
      const answer = await kit.author.post(`${route}/media`).attach('file', content, 'a.mp4').expect(400);
      return answer.body.data.reason;
    };
    await kit.lyceum.make.settings('media_converter', { max_duration_seconds: 2 });
    expect(await refused(film)).to.equal('too_long');
    await kit.lyceum.make.settings('media_converter', { max_duration_seconds: 100, max_pixels: 4_000 });
    expect(await refused(film)).to.equal('picture_too_large');
    await kit.lyceum.make.settings('media_converter', { max_pixels: 33_177_600, max_upload_bytes: 100 });
    const big = await kit.author.post(`${route}/media`).attach('file', film, 'a.mp4').expect(413);
    expect(big.body.code).to.equal('rest_body_too_large');
    await kit.lyceum.make.settings('media_converter', { max_upload_bytes: 10_000_000 });
    const many = await kit.make('many.mkv', [
      ...['-f', 'lavfi', '-i', 'sine=duration=1', ...Array.from({ length: 33 }, () => ['-map', '0']).flat()],
      ...['-c:a', 'aac'],
    ]);
    expect(await refused(many)).to.equal('too_many_streams');
  }).timeout(60_000);
});
