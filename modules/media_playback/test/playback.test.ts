import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ActiveFormats, artifactName, PlaybackArtifacts } from '@lyceum/core';
import { expect } from 'chai';
import { film, PlaybackKit } from './playback-kit.ts';

const cue = [[0, 1, 'x']] as const;

describe('what a player needs', () => {
  let kit: PlaybackKit;
  beforeEach(async () => {
    kit = await PlaybackKit.start();
  });
  afterEach(() => kit.lyceum.stop());

  const formats = async (query = ''): Promise<string[]> =>
    (await kit.show(query)).sources.map(({ format }: { format: string }) => format);

  async function putHls(): Promise<void> {
    const artifacts = kit.lyceum.host.services.host(PlaybackArtifacts);
    const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-hls-'));
    await mkdir(path.join(folder, '480'));
    await writeFile(path.join(folder, 'master.m3u8'), '#EXTM3U\n480/index.m3u8\n');
    await writeFile(path.join(folder, '480', 'index.m3u8'), '#EXTM3U\n0.ts\n');
    await writeFile(path.join(folder, '480', '0.ts'), Buffer.alloc(188, 0x47));
    const owner = { blogId: 1, attachmentId: kit.id };
    const stored = await artifacts.store(
      owner,
      { content: { folder }, name: 'hls' },
      new AbortController().signal,
    );
    await rm(folder, { recursive: true });
    const name = artifactName('Film.avi', 'hls', stored.hash, null);
    const given = {
      folder: 'sources',
      mime_type: 'application/vnd.apple.mpegurl',
      format_key: 'hls',
      meta: {},
      name,
    } as const;
    await kit.lyceum.host.db.transaction((trx) => artifacts.put(trx, stored, given));
  }

  it('is one document in which every address leads to a file', async () => {
    await kit.looksLike('video/vnd.avi', { ...film, container: 'avi' });
    await kit.mp4(480);
    await kit.mp4(720);
    await putHls();
    await kit.put({ format_key: 'poster', mime_type: 'image/jpeg', folder: 'thumbnails' }, 'jpg');
    await kit.put({ format_key: 'thumbnails', mime_type: 'text/vtt', folder: 'thumbnails' }, 'vtt');
    await kit.put({ format_key: 'mp3', mime_type: 'audio/mpeg' }, 'mp3');
    await kit.track({ srclang: 'en', cues: cue });
    const body = await kit.show();
    const addresses = [
      ...[
        body.poster,
        body.previewThumbnails.src,
        body.hls.src,
        body.hls.src.replace('master.m3u8', '480/0.ts'),
      ],
      ...body.sources.map(({ src }: { src: string }) => src),
      ...body.tracks.map(({ src }: { src: string }) => src),
    ];
    for (const address of addresses) expect(await kit.status(address), address).to.equal(200);
    expect(body.hls.src).to.match(/\/master\.m3u8$/);
    const [first, second] = body.sources;
    expect(body).to.deep.equal({
      ...{ attachment_id: kit.id, blog_id: 1, type: 'video', title: 'Film', playable: true },
      ...{ duration: 700, width: 1280, height: 720, poster: body.poster },
      sources: [
        {
          ...{
            src: first.src,
            type: 'video/mp4; codecs="avc1.64001f, mp4a.40.2"',
            size: 720,
            format: 'mp4_720',
          },
          ...{ label: '720p', width: 1280, height: 720, bytes: first.bytes, bitrate: 900_000 },
        },
        {
          ...{
            src: second.src,
            type: 'video/mp4; codecs="avc1.64001f, mp4a.40.2"',
            size: 480,
            format: 'mp4_480',
          },
          ...{ label: '480p', width: second.width, height: 480, bytes: second.bytes, bitrate: 900_000 },
        },
      ],
      hls: { src: body.hls.src, type: 'application/vnd.apple.mpegurl' },
      tracks: [
        {
          kind: 'subtitles',
          label: 'English',
          srclang: 'en',
          src: body.tracks[0].src,
          default: false,
          index: 0,
        },
      ],
      previewThumbnails: { enabled: true, src: body.previewThumbnails.src },
      ...{
        chapters: [],
        lang: null,
        langs: ['en'],
        preload: 'metadata',
        processing: [],
        urls_expire_at: null,
      },
    });
  });

  it('offers the original where browsers play it, by the rule of the site', async () => {
    await kit.looksLike('video/mp4', film);
    const { sources } = await kit.show();
    expect(sources).to.have.length(1);
    expect(sources[0]).to.include({
      ...{ format: 'original', label: 'Original', size: 720, width: 1280, height: 720, bitrate: 1_200_000 },
      type: 'video/mp4; codecs="avc1.64001f, mp4a.40.2"',
    });
    await kit.settings({ include_original: 'never' });
    expect(await kit.show()).to.deep.include({ sources: [], playable: false });
    await kit.mp4(480);
    await kit.settings({ include_original: 'fallback' });
    expect(await formats()).to.deep.equal(['mp4_480']);
    await kit.settings({ include_original: 'always' });
    expect(await formats()).to.deep.equal(['mp4_480', 'original']);
  });

  it('knows what browsers play', async () => {
    const silent = { audio_codec: null, audio_codecs: null };
    const sound = {
      kind: 'audio',
      video_codec: null,
      video_codecs: null,
      width: null,
      height: null,
    } as const;
    for (const [mime, info, isPlayed] of [
      ['video/mp4', { ...film, ...silent }, true],
      ['video/mp4', { ...film, video_codec: 'hevc', video_codecs: null }, false],
      ['video/mp4', { ...film, video_codecs: 'avc1.6e001f' }, false],
      ['video/mp4', { ...film, audio_codec: 'ac3', audio_codecs: null }, false],
      ['video/mp4', null, false],
      ['video/quicktime', film, false],
      [
        'video/webm',
        { ...film, video_codec: 'vp9', video_codecs: 'vp09.00.31.08', audio_codec: 'opus' },
        true,
      ],
      ['video/webm', { ...film, video_codec: 'h264' }, false],
      ['video/matroska', { ...film, video_codec: 'vp9' }, false],
      ['audio/mp4', { ...film, ...sound }, true],
      ['audio/mpeg', { ...film, ...sound, audio_codec: 'mp3', audio_codecs: 'mp3' }, true],
      ['audio/ogg', { ...film, ...sound, audio_codec: 'vorbis', audio_codecs: 'vorbis' }, true],
      ['audio/ogg', { ...film, ...sound, audio_codec: 'speex', audio_codecs: null }, false],
      ['audio/wav', { ...film, ...sound, audio_codec: 'pcm_s16le', audio_codecs: null }, true],
      ['audio/flac', { ...film, ...sound, audio_codec: 'flac', audio_codecs: 'flac' }, true],
      ['audio/aiff', { ...film, ...sound, audio_codec: 'pcm_s16be', audio_codecs: null }, false],
    ] as const) {
      await kit.looksLike(mime, info);
      const { playable, type, sources } = await kit.show();
      expect(playable, `${mime} ${info?.video_codec} ${info?.audio_codec}`).to.equal(isPlayed);
      expect(type).to.equal(mime.split('/')[0]);
      if (type === 'audio' && isPlayed) expect(sources[0].size).to.equal(null);
      if (mime === 'audio/mpeg') expect(sources[0].type).to.equal('audio/mpeg');
    }
  });

  it('orders formats of films and of sounds', async () => {
    for (const [key, mime, ending] of [
      ...[
        ['webm_av1', 'video/webm', 'webm'],
        ['webm_vp9', 'video/webm', 'webm'],
        ['mp3', 'audio/mpeg', 'mp3'],
      ],
      ...[
        ['ogg_opus', 'audio/ogg', 'ogg'],
        ['m4a_aac', 'audio/mp4', 'm4a'],
      ],
    ] as const)
      await kit.put({ format_key: key ?? '', mime_type: mime ?? '' }, ending ?? '');
    for (const rung of [480, 1080, 720]) await kit.mp4(rung);
    expect(await formats()).to.deep.equal(['mp4_1080', 'mp4_720', 'mp4_480', 'webm_vp9', 'webm_av1']);
    const sound = {
      ...film,
      kind: 'audio',
      video_codec: null,
      video_codecs: null,
      width: null,
      height: null,
    } as const;
    await kit.looksLike('audio/mp4', sound);
    await kit.settings({ include_original: 'always' });
    expect(await formats()).to.deep.equal(['m4a_aac', 'ogg_opus', 'mp3', 'original']);
    expect((await kit.show()).type).to.equal('audio');
  });

  it('says what is being made of a film that nothing plays', async () => {
    const before = await kit.author.get(kit.route()).expect(200);
    expect(before.body).to.deep.include({ playable: false, sources: [], hls: null, processing: [] });
    let percent = 10;
    const active = kit.lyceum.host.services.host(ActiveFormats);
    active.register('encoder', async (_sql, blogId, id) =>
      blogId === 1 && id === kit.id ? [{ format: 'mp4_480', status: 'running', percent }] : [],
    );
    const running = await kit.author.get(kit.route()).expect(200);
    expect(running.body.processing).to.deep.equal([{ format: 'mp4_480', status: 'running', percent: 10 }]);
    percent = 20;
    const later = await kit.author.get(kit.route()).expect(200);
    expect(new Set([before, running, later].map(({ headers }) => headers.etag)).size).to.equal(3);
  });

  it('answers 304 until something of it changes', async () => {
    await kit.looksLike('video/mp4', film);
    const etag = async (): Promise<string> =>
      (await kit.author.get(kit.route()).expect(200)).headers.etag ?? '';
    const first = await kit.author.get(kit.route()).expect(200);
    expect(first.headers['cache-control']).to.equal('private, max-age=0, must-revalidate');
    await kit.author
      .get(kit.route())
      .set('If-None-Match', first.headers.etag ?? '')
      .expect(304);
    const seen = [await etag()];
    for (const change of [
      () => kit.track({ srclang: 'en', cues: cue }),
      () => kit.mp4(480),
      () => kit.put({ format_key: 'poster', mime_type: 'image/jpeg', folder: 'thumbnails' }, 'jpg'),
      () => kit.author.patch(`svc/host/v1/media/${kit.id}`, { title: 'Other' }).expect(200),
      () => kit.settings({ preload: 'none' }),
      () => kit.author.patch(`svc/host/v1/media/${kit.id}`, { status: 'private' }).expect(200),
    ]) {
      await change();
      seen.push(await etag());
    }
    expect(new Set(seen).size).to.equal(7);
    const wanted = await kit.author.get(kit.route('?lang=en')).expect(200);
    expect(seen).not.to.include(wanted.headers.etag);
  });

  it('holds no artifact that is gone, and only reads', async () => {
    await kit.mp4(480);
    const artifacts = kit.lyceum.host.services.host(PlaybackArtifacts);
    expect(await formats()).to.deep.equal(['mp4_480']);
    await kit.track({ srclang: 'en', cues: cue });
    await kit.lyceum.host.db.transaction((trx) => artifacts.dropAll(trx, 1, kit.id));
    expect(await kit.show()).to.deep.include({ sources: [], tracks: [], langs: [], poster: '' });
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const { body } = await kit.author[method](kit.route()).expect(405);
      expect(body.code).to.equal('rest_method_not_allowed');
    }
  });
});
