import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Artifact, NewArtifact } from '../../core/artifacts/artifact.ts';
import { artifactName, numberedName } from '../../core/artifacts/artifact-names.ts';
import { PlaybackArtifacts } from '../../core/artifacts/playback-artifacts.ts';
import type { LocalContent } from '../../core/artifacts/store-content.ts';
import { Attachments } from '../../core/content/attachments/attachments.ts';
import { FileLinks } from '../../core/files/file-links.ts';
import { Storage } from '../../core/files/storage.ts';
import { type Client, runSchedule, startTestHost, type TestHost, wav } from '../kit/index.ts';
import { FileClient, media } from './file-kit.ts';

const minute = 60_000;
const never = new AbortController().signal;
const vtt = { folder: 'subtitles', mime_type: 'text/vtt', format_key: null, meta: {} } as const;
const mp4 = { folder: 'sources', mime_type: 'video/mp4', format_key: 'mp4_720', meta: {} } as const;

describe('the store of playback artifacts', () => {
  let lyceum: TestHost;
  let author: Client;
  let files: FileClient;
  let artifacts: PlaybackArtifacts;
  let id: number;
  let now: Date;
  beforeEach(async () => {
    now = new Date();
    lyceum = await startTestHost({ modules: [], now: () => now });
    author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    files = new FileClient(lyceum, author);
    artifacts = lyceum.host.services.host(PlaybackArtifacts);
    ({ id } = await files.upload(wav(1), 'Моя Лекция.wav'));
  });
  afterEach(() => lyceum.stop());

  const later = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };

  async function store(content: LocalContent, name: string) {
    return artifacts.store({ blogId: 1, attachmentId: id }, { content, name }, never);
  }

  async function put(text: string, given: Omit<NewArtifact, 'name'>, role: string, extension: string) {
    const stored = await store({ bytes: Buffer.from(text) }, `a.${extension}`);
    const name = artifactName('Моя Лекция.wav', role, stored.hash, extension);
    const artifact = await lyceum.host.db.transaction((trx) =>
      artifacts.put(trx, stored, { ...given, name }),
    );
    if (!artifact) throw new Error('not put');
    return artifact;
  }

  const drop = (filter: Parameters<PlaybackArtifacts['drop']>[3]): Promise<Artifact[]> =>
    lyceum.host.db.transaction((trx) => artifacts.drop(trx, 1, id, filter));

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of lyceum.host.services.host(Storage).list('sites/1/artifacts')) found.push(key);
    return found;
  }

  const sweep = (): Promise<void> => runSchedule(lyceum, 'host.sweep-artifacts');
  const address = (artifact: { readonly path: string }): string => `/files/${artifact.path}`;

  it('serves an artifact to anybody, anywhere, for ever, and in ranges', async () => {
    const artifact = await put('WEBVTT\n', vtt, 'subtitles-en', 'vtt');
    expect(artifact.path).to.match(
      new RegExp(`^artifacts/${id}-[0-9a-f]{32}/subtitles/moya-lekciya-subtitles-en-[0-9a-f]{8}\\.vtt$`),
    );
    const answer = await files.ask(address(artifact), { Origin: 'https://elsewhere.test' });
    expect([answer.status, answer.bytes.toString()]).to.deep.equal([200, 'WEBVTT\n']);
    expect(answer.headers.get('content-type')).to.equal('text/vtt; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    const part = await files.ask(address(artifact), { Range: 'bytes=0-2' });
    expect([part.status, part.bytes.toString()]).to.deep.equal([206, 'WEB']);
    expect((await files.ask(address(artifact), { Range: 'bytes=7-' })).status).to.equal(416);
    const etag = answer.headers.get('etag') ?? '';
    expect((await files.ask(address(artifact), { 'If-None-Match': etag })).status).to.equal(304);
    for (const wrong of [
      address(artifact).replace(`/${id}-`, `/${id + 1}-`),
      address(artifact).replace(/-[0-9a-f]{32}/, `-${'0'.repeat(32)}`),
      address(artifact).replace('/subtitles/', '/chapters/'),
      `${address(artifact)}/x`,
      `${address(artifact)}/master.m3u8`,
    ])
      expect(await files.status(wrong), wrong).to.equal(404);
    const elsewhere = await lyceum.make.site();
    expect(await files.status(`${elsewhere.path}files/${artifact.path}`)).to.equal(404);
  });

  it('hides the artifacts of a private attachment, but not under its grant', async () => {
    const artifact = await put('WEBVTT\n', vtt, 'subtitles-en', 'vtt');
    await author.patch(`${media}/${id}`, { status: 'private' }).expect(200);
    expect(await files.status(address(artifact))).to.equal(404);
    const attachment = await lyceum.host.services.host(Attachments).find(1, id);
    const expires = Math.floor(now.getTime() / 1000) + 60;
    const granted = (attachmentId: number): string =>
      lyceum.host.services.host(FileLinks).granted({ url: '/' }, artifact.path, {
        attachmentId,
        expires,
        epoch: attachment?.grant_epoch ?? -1,
      });
    const opened = await files.ask(granted(id));
    expect([opened.status, opened.headers.get('cache-control')]).to.deep.equal([
      200,
      'private, max-age=0, must-revalidate',
    ]);
    expect(await files.status(granted(id + 1))).to.equal(404);
    later(2 * minute);
    expect(await files.status(granted(id))).to.equal(404);
  });

  it('switches a format in one moment, and serves the old file for another hour', async () => {
    const old = await put('old', mp4, 'mp4_720', 'mp4');
    const fresh = await put('new', mp4, 'mp4_720', 'mp4');
    expect((await artifacts.list(1, id, {})).map(({ name }) => name)).to.deep.equal([fresh.name]);
    expect((await files.ask(address(fresh))).bytes.toString()).to.equal('new');
    expect((await files.ask(address(old))).bytes.toString()).to.equal('old');
    later(59 * minute);
    await sweep();
    expect(await files.status(address(old))).to.equal(200);
    later(2 * minute);
    expect(await files.status(address(old))).to.equal(404);
    await sweep();
    expect(await keys()).to.have.length(1);
    expect(await files.status(address(fresh))).to.equal(200);
  });

  it('serves the same content made again under its old address', async () => {
    const old = await put('same', mp4, 'mp4_720', 'mp4');
    const fresh = await put('same', mp4, 'mp4_720', 'mp4');
    expect(fresh.path).to.equal(old.path);
    later(2 * 60 * minute);
    await sweep();
    expect((await files.ask(address(fresh))).bytes.toString()).to.equal('same');
  });

  it('lets one of many writers of a format stay, and no file without a row', async () => {
    await Promise.all(Array.from({ length: 8 }, (_none, n) => put(`film ${n}`, mp4, 'mp4_720', 'mp4')));
    const [left, ...more] = await artifacts.list(1, id, {});
    expect(more).to.deep.equal([]);
    expect(await files.status(address(left as Artifact))).to.equal(200);
    later(2 * 60 * minute);
    await sweep();
    expect(await keys()).to.have.length(1);
  });

  it('gives a name that is taken a number', async () => {
    const first = await put('x', vtt, 'subtitles-en', 'vtt');
    const second = await put('x', vtt, 'subtitles-en', 'vtt');
    expect(second.name).to.equal(numberedName(first.name, 2));
    expect((await artifacts.counts(1, id)).subtitles).to.equal(2);
  });

  it('serves a tree of files, relative references and grants included', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-tree-'));
    await mkdir(path.join(folder, '720'));
    await writeFile(path.join(folder, 'master.m3u8'), '#EXTM3U\n720/index.m3u8\n');
    await writeFile(path.join(folder, '720', 'index.m3u8'), '#EXTM3U\n');
    await writeFile(path.join(folder, '720', '0.ts'), Buffer.alloc(376, 0x47));
    const stored = await store({ folder }, 'hls');
    await rm(folder, { recursive: true });
    const name = artifactName('film.mp4', 'hls', stored.hash, null);
    const given = { ...mp4, format_key: 'hls', mime_type: 'application/vnd.apple.mpegurl', name };
    const tree = await lyceum.host.db.transaction((trx) => artifacts.put(trx, stored, given));
    expect([tree?.name, tree?.bytes]).to.deep.equal([`${name}/master.m3u8`, 23 + 8 + 376]);
    const base = address(tree as Artifact);
    const segment = await files.ask(base.replace('master.m3u8', '720/0.ts'), { Range: 'bytes=188-' });
    expect([segment.status, segment.bytes.length, segment.headers.get('content-type')]).to.deep.equal([
      206,
      188,
      'video/mp2t',
    ]);
    const playlist = await files.ask(base);
    expect([playlist.status, playlist.headers.get('content-type')]).to.deep.equal([
      200,
      'application/vnd.apple.mpegurl',
    ]);
    for (const wrong of [base.replace('/master.m3u8', ''), base.replace('master.m3u8', '720'), `${base}/x`])
      expect(await files.status(wrong), wrong).to.equal(404);
    const listed: string[] = [];
    for await (const file of artifacts.files(tree as Artifact)) listed.push(file.name);
    expect(listed.sort()).to.deep.equal(
      ['720/0.ts', '720/index.m3u8', 'master.m3u8'].map((file) => `${name}/${file}`),
    );
    await drop({ folder: 'sources' });
    expect(await files.status(base)).to.equal(404);
    await sweep();
    expect(await keys()).to.deep.equal([]);
  });

  it('renames: the address follows, and is no longer immutable', async () => {
    const artifact = await put('one', vtt, 'subtitles-en', 'vtt');
    const other = await put('two', vtt, 'subtitles-de', 'vtt');
    const renamed = (name: string): Promise<boolean> =>
      lyceum.host.db.transaction((trx) => artifacts.rename(trx, artifact, name));
    expect(await renamed(other.name)).to.equal(false);
    expect(await renamed('english.vtt')).to.equal(true);
    const [now_] = await artifacts.list(1, id, { names: ['english.vtt'] });
    expect(await files.status(address(artifact))).to.equal(404);
    const answer = await files.ask(address(now_ as Artifact));
    expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([
      200,
      'public, max-age=0, must-revalidate',
    ]);
  });

  it('leaves nothing of what was not put, whoever was killed', async () => {
    const stored = await store({ bytes: Buffer.from('x') }, 'a.vtt');
    await artifacts.takeBack(stored);
    expect(await keys()).to.deep.equal([]);
    const put_ = await put('kept', vtt, 'subtitles-en', 'vtt');
    // As after a commit whose answer was lost.
    await artifacts.takeBack({ blogId: 1, place: put_.place });
    expect(await files.status(address(put_))).to.equal(200);

    const lost = await store({ bytes: Buffer.from('lost') }, 'a.vtt');
    later(23 * 60 * minute);
    await sweep();
    expect(await keys()).to.have.length(2);
    later(2 * 60 * minute);
    await sweep();
    expect(await keys()).to.have.length(1);
    // It came too late: nothing is written that has no file.
    const name = 'late.vtt';
    expect(await lyceum.host.db.transaction((trx) => artifacts.put(trx, lost, { ...vtt, name }))).to.equal(
      null,
    );
    expect(await artifacts.list(1, id, { names: [name] })).to.deep.equal([]);
  });

  it('leaves nothing of content that could not be stored', async () => {
    const broken = await artifacts
      .store(
        { blogId: 1, attachmentId: id },
        { content: { file: '/nowhere/film.mp4' }, name: 'a.mp4' },
        never,
      )
      .catch((error: unknown) => error);
    expect(broken).to.have.property('code', 'ENOENT');
    expect(await keys()).to.deep.equal([]);
    expect(await lyceum.host.db.knex('artifact_remains')).to.deep.equal([]);
  });

  it('goes with its attachment, what is superseded too', async () => {
    const old = await put('old', mp4, 'mp4_720', 'mp4');
    const fresh = await put('new', mp4, 'mp4_720', 'mp4');
    const stored = await store({ bytes: Buffer.from('late') }, 'a.mp4');
    await author.delete(`${media}/${id}`).expect(200);
    expect(await files.status(address(fresh))).to.equal(404);
    await author.delete(`${media}/${id}?force=true`).expect(200);
    expect(await files.status(address(old))).to.equal(404);
    const given = { ...mp4, name: 'late.mp4' };
    expect(await lyceum.host.db.transaction((trx) => artifacts.put(trx, stored, given))).to.equal(null);
    await artifacts.takeBack(stored);
    await sweep();
    expect(await keys()).to.deep.equal([]);
    expect(await lyceum.host.db.knex('playback_artifacts')).to.deep.equal([]);
  });

  it('serves content for a time without making it an artifact', async () => {
    const stored = await store({ bytes: Buffer.from('PK') }, 'a.zip');
    const served = { folder: 'packs', name: 'film-pack.zip', mime_type: 'application/zip' };
    const until = new Date(now.getTime() + 30 * minute);
    await lyceum.host.db.transaction((trx) => artifacts.serve(trx, stored, served, until));
    expect(await artifacts.list(1, id, {})).to.deep.equal([]);
    const base = (await put('x', vtt, 'subtitles-en', 'vtt')).path.split('/').slice(0, 2).join('/');
    const target = `/files/${base}/packs/film-pack.zip`;
    const answer = await files.ask(target);
    expect([answer.status, answer.headers.get('content-disposition')?.slice(0, 10)]).to.deep.equal([
      200,
      'attachment',
    ]);
    later(31 * minute);
    expect(await files.status(target)).to.equal(404);
  });

  it('keeps what ffprobe knows of a film beside it', async () => {
    const attachment = await lyceum.host.services.host(Attachments).find(1, id);
    expect(attachment?.media_info).to.include({
      ...{ kind: 'audio', duration: 1, audio_codec: 'pcm_u8', audio_channels: 1, audio_sample_rate: 8000 },
      ...{ width: null, video_codec: null, audio_stream: 0 },
    });
  });
});
