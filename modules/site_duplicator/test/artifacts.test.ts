import { artifactName, PlaybackArtifacts, TextTrackStore, TextTracks } from '@lyceum/core';
import { type Client, startTestHost, type TestHost, wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import { CopyKit } from './copy-kit.ts';

const never = new AbortController().signal;

describe('the copy of a site: what players are given', () => {
  let lyceum: TestHost;
  let kit: CopyKit;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['site_duplicator'], config: { workers: 'inline' } });
    kit = new CopyKit(lyceum, await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  it('has artifacts of its own, under addresses that the source does not tell', async () => {
    const lab = await lyceum.make.site('lab');
    const client: Client = kit.on(lab);
    const upload = await client.post('svc/host/v1/media').attach('file', wav(1), 'talk.wav').expect(201);
    const artifacts = lyceum.host.services.host(PlaybackArtifacts);
    const owner = { blogId: lab.blog_id, attachmentId: upload.body.id as number };
    const content = { bytes: Buffer.from('sound') };
    const stored = await artifacts.store(owner, { content, name: 'a.mp3' }, never);
    const given = {
      folder: 'sources',
      name: artifactName('talk.wav', 'mp3', stored.hash, 'mp3'),
      mime_type: 'audio/mpeg',
      format_key: 'mp3',
      meta: { bit_rate: 128 },
    } as const;
    const source = await lyceum.host.db.transaction((trx) => artifacts.put(trx, stored, given));

    const { site } = await kit.copy(lab.blog_id, { slug: 'twin' });
    const [copied] = await lyceum.host.db.knex('attachments').where('blog_id', site.blog_id);
    expect(copied.media_info.audio_codec).to.equal('pcm_u8');
    const [copy] = await artifacts.list(site.blog_id, copied.post_id, {});
    expect(copy).to.include({ name: source?.name, format_key: 'mp3', bytes: 5 });
    expect(copy?.meta).to.deep.equal(given.meta);
    const token = (path: string | undefined): string | undefined => path?.split('/')[1]?.split('-')[1];
    expect(token(copy?.path)).to.match(/^[0-9a-f]{32}$/);
    expect(token(copy?.path)).not.to.equal(token(source?.path));
    const served = await fetch(`${lyceum.origin}${site.path}files/${copy?.path}`);
    expect([served.status, await served.text()]).to.deep.equal([200, 'sound']);

    // Each goes without the other.
    await lyceum.host.db.transaction((trx) => artifacts.dropAll(trx, lab.blog_id, owner.attachmentId));
    await artifacts.sweep(never);
    expect((await fetch(`${lyceum.origin}${site.path}files/${copy?.path}`)).status).to.equal(200);
  });

  it('has text tracks of its own under the same indexes', async () => {
    const lab = await lyceum.make.site('lab');
    const upload = await kit.on(lab).post('svc/host/v1/media').attach('file', wav(1), 'talk.wav').expect(201);
    const { services, db } = lyceum.host;
    const [artifacts, store] = [services.host(PlaybackArtifacts), services.host(TextTrackStore)];
    const owner = { blogId: lab.blog_id, attachmentId: upload.body.id as number };
    const content = { bytes: Buffer.from('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHi\n') };
    const stored = await artifacts.store(owner, { content, name: 'a.vtt' }, never);
    const place = { blog_id: lab.blog_id, attachment_id: owner.attachmentId };
    await db.transaction(async (trx) => {
      const given = { folder: 'subtitles', mime_type: 'text/vtt', format_key: null, meta: {} } as const;
      const artifact = await artifacts.put(trx, stored, { ...given, name: 'talk-subtitles-en.vtt' });
      const track = { kind: 'subtitles', srclang: 'en', label: 'English', is_default: true } as const;
      const file = { artifact_id: artifact?.id ?? 0, cues: 1, duration: 1 };
      await store.insert(trx, place, { ...track, ...file, index: 3 }, new Date());
    });

    const { site } = await kit.copy(lab.blog_id, { slug: 'twin' });
    const [copied] = await db.knex('attachments').where('blog_id', site.blog_id);
    const texts = services.host(TextTracks);
    const [track, ...more] = await texts.list(site.blog_id, copied.post_id);
    expect(more).to.deep.equal([]);
    expect(track).to.include({ index: 3, srclang: 'en', label: 'English', is_default: true, cues: 1 });
    const cues = track && (await texts.cues(site.blog_id, track));
    expect(cues?.cues.map(({ text }) => text)).to.deep.equal(['Hi']);
    expect((await fetch(`${lyceum.origin}${site.path}files/${track?.path}`)).status).to.equal(200);
    // An index that the source gave is not given again.
    expect(await db.transaction((trx) => store.nextIndex(trx, site.blog_id, copied.post_id))).to.equal(4);
  });
});
