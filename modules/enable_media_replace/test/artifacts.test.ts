import path from 'node:path';
import { PlaybackArtifacts } from '@lyceum/core';
import { samples, startTestHost, type TestHost, wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Media, namedKeys, ReplaceKit, storedKeys } from './replace-kit.ts';

const folders = [path.join(import.meta.dirname, 'packages')];

describe('enable_media_replace: what was made of the old file', () => {
  let lyceum: TestHost;
  let kit: ReplaceKit;
  let tone: Media;
  const none = { sources: 0, subtitles: 0, chapters: 0, thumbnails: 0, stills: 0 };
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['enable_media_replace', 'test_renditions'], folders });
    kit = new ReplaceKit(lyceum, await lyceum.make.user({ role: 'editor' }));
    tone = await kit.upload(wav(1), 'tone.wav');
  });
  afterEach(() => lyceum.stop());

  const make = async (...names: readonly string[]): Promise<void> => {
    const { sha256 } = await lyceum.host.db.knex('attachments').where('post_id', tone.id).first('sha256');
    const of = { blog_id: 1, attachment_id: tone.id, of_sha256: sha256 };
    await lyceum.host.db.knex('renditions').insert(names.map((name) => ({ ...of, name })));
  };
  const enqueue = (...keys: readonly string[]) =>
    lyceum.host.db
      .knex('rendition_queue')
      .insert(keys.map((key) => ({ blog_id: 1, attachment_id: tone.id, key })));
  const untouched = async (): Promise<void> => {
    expect(await kit.media(tone.id)).to.deep.equal(tone);
    expect((await kit.open(tone.url)).bytes.equals(wav(1))).to.equal(true);
    expect(await storedKeys(lyceum)).to.deep.equal(await namedKeys(lyceum));
  };

  it('keeps the file in its place, unless it may go, too', async () => {
    await make('a-mp4', 'b-mp4', 'poster');
    const artifacts = { present: true, folders: { ...none, sources: 2 }, poster: true, queue_keys: [] };
    expect((await kit.info(tone.id)).playback_artifacts).to.deep.equal(artifacts);
    for (const replace_type of ['replace', 'replace_and_search']) {
      const { body } = await kit.replace(tone.id, wav(2), 'b.wav', { replace_type }).expect(409);
      expect(body.code).to.equal('playback_artifacts_present');
      expect(body.data).to.deep.equal({ status: 409, playback_artifacts: artifacts });
    }
    await untouched();
    const { body } = await kit.replace(tone.id, wav(2), 'b.wav', { remove_artifacts: true }).expect(200);
    expect(body.artifacts_removed).to.equal(3);
    expect((await kit.info(tone.id)).playback_artifacts).to.include({ present: false, poster: false });
    expect((await kit.replace(tone.id, wav(1), 'b.wav').expect(200)).body.artifacts_removed).to.equal(0);
  });

  it('is also what the host itself keeps for players', async () => {
    const artifacts = lyceum.host.services.host(PlaybackArtifacts);
    const content = { content: { bytes: Buffer.from('WEBVTT') }, name: 'a.vtt' };
    const stored = await artifacts.store(
      { blogId: 1, attachmentId: tone.id },
      content,
      AbortSignal.timeout(5_000),
    );
    const given = {
      name: 'a.vtt',
      folder: 'subtitles',
      mime_type: 'text/vtt',
      format_key: null,
      meta: {},
    } as const;
    const artifact = await lyceum.host.db.transaction((trx) => artifacts.put(trx, stored, given));
    const url = `${new URL(tone.url).origin}/files/${artifact?.path}`;
    expect((await kit.open(url)).status).to.equal(200);
    const { body } = await kit.replace(tone.id, wav(2), 'b.wav').expect(409);
    expect(body.data.playback_artifacts).to.deep.equal({
      ...{ present: true, folders: { ...none, subtitles: 1 }, poster: false },
      queue_keys: [],
    });
    const gone = await kit.replace(tone.id, wav(2), 'b.wav', { remove_artifacts: true }).expect(200);
    expect(gone.body.artifacts_removed).to.equal(1);
    expect((await kit.open(url)).status).to.equal(404);
    expect((await kit.info(tone.id)).playback_artifacts.present).to.equal(false);
  });

  it('is also work that waits or runs', async () => {
    await enqueue('one', 'two');
    const { body } = await kit.replace(tone.id, wav(2), 'b.wav').expect(409);
    expect(body.data.playback_artifacts).to.deep.equal({
      ...{ present: true, folders: none, poster: false },
      queue_keys: ['one', 'two'],
    });
    await untouched();
    await kit.replace(tone.id, wav(2), 'b.wav', { remove_artifacts: true }).expect(200);
    expect(await lyceum.host.db.knex('rendition_queue')).to.deep.equal([]);
  });

  it('is looked for again when the attachment is locked', async () => {
    // Somebody makes something of the file while the new one is being stored.
    const storing = lyceum.host.db.knex('unclaimed_files');
    const { FileReplacements } = await import('@lyceum/core');
    const files = lyceum.host.services.host(FileReplacements);
    const store = files.store.bind(files);
    files.store = async (...given) => {
      const stored = await store(...given);
      await make('a-mp4');
      return stored;
    };
    await kit.replace(tone.id, wav(2), 'b.wav').expect(409);
    await untouched();
    expect(await storing).to.deep.equal([]);
  });

  it('stays with the old file when a listener fails', async () => {
    await make('a-mp4');
    const fields = { replace_type: 'replace_and_search', remove_artifacts: true };
    const { body } = await kit.replace(tone.id, wav(2), 'refused.wav', fields).expect(500);
    expect(body.code).to.equal('replace_failed');
    expect(JSON.stringify(body)).not.to.include('As asked');
    await untouched();
    expect((await kit.info(tone.id)).playback_artifacts.folders.sources).to.equal(1);
  });

  it('is nothing for a picture, where the permission does nothing', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    const { body } = await kit
      .replace(photo.id, samples.jpg, 'b.jpg', { remove_artifacts: true })
      .expect(200);
    expect(body.artifacts_removed).to.equal(0);
  });
});

describe('enable_media_replace: how large films and sounds may be', () => {
  it('is what the module says that encodes them, while it is on', async () => {
    const lyceum = await startTestHost({ modules: ['enable_media_replace', 'media_converter'], folders });
    const kit = new ReplaceKit(lyceum, await lyceum.make.user({ role: 'editor' }));
    const tone = await kit.upload(wav(1), 'tone.wav');
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    await lyceum.make.settings('host', { max_upload_bytes: 20_000 });
    await lyceum.make.settings('media_converter', { max_upload_bytes: 100_000 });
    expect((await kit.info(tone.id)).max_bytes).to.equal(100_000);
    expect((await kit.info(photo.id)).max_bytes).to.equal(20_000);
    await kit.replace(tone.id, wav(5), 'b.wav').expect(200);
    await kit.replace(tone.id, wav(13), 'b.wav').expect(413);
    const large = Buffer.concat([samples.jpg, Buffer.alloc(20_000)]);
    expect((await kit.replace(photo.id, large, 'b.jpg').expect(413)).body.code).to.equal(
      'rest_body_too_large',
    );
    await lyceum.make.settings('media_converter', { max_upload_bytes: 10_000 });
    await kit.replace(tone.id, wav(2), 'b.wav').expect(413);
    await lyceum.host.db
      .knex('network_options')
      .insert({ network_id: 1, name: 'module:media_converter', value: 'false' });
    await lyceum.host.db.knex('installation').increment('revision', 1);
    expect((await kit.info(tone.id)).max_bytes).to.equal(20_000);
    await kit.replace(tone.id, wav(2), 'b.wav').expect(200);
    await lyceum.stop();
  });
});
