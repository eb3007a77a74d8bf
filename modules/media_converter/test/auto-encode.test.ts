import { expect } from 'chai';
import { type Entry, MediaKit, route } from './media-kit.ts';

/** Uploads that are encoded without anybody asking for it. */
describe('media_converter: films that are encoded as they come', () => {
  let kit: MediaKit;
  let film: Buffer;
  before(async () => {
    // Nothing is made here: what counts is what was asked for.
    kit = await MediaKit.start({
      modules: ['media_converter', 'modules'],
      config: { workers: 'off' },
    });
    film = await kit.film('1280x720', 1);
  });
  after(() => kit.stop());

  const queued = async (id: number): Promise<string[][]> => {
    const { body } = await kit.author.get(`${route}/queue?attachment_id=${id}`).expect(200);
    return (body as Entry[]).map(({ formats }) => formats.map(({ format }) => format));
  };

  const uploadToHost = async (content: Buffer, name: string): Promise<number> => {
    const { body } = await kit.author.post('svc/host/v1/media').attach('file', content, name).expect(201);
    return body.id as number;
  };

  it('are left alone where the site does not wish it', async () => {
    expect(await queued(await kit.upload(film))).to.deep.equal([]);
    expect(await queued(await uploadToHost(film, 'film.mp4'))).to.deep.equal([]);
  });

  it('get what can be made of the default formats, by whichever route they come', async () => {
    await kit.lyceum.make.settings('media_converter', { auto_encode: true });
    for (const id of [await kit.upload(film), await uploadToHost(film, 'film.mp4')]) {
      expect(await queued(id)).to.deep.equal([['mp4_720', 'mp4_480']]);
    }
  });

  it('get what was named and nothing else where formats came along', async () => {
    const { body } = await kit.author
      .post(`${route}/encode`)
      .field('formats', 'mp4_480,mp3')
      .attach('file', film, 'film.mp4')
      .expect(202);
    expect(await queued(body.attachment_id)).to.deep.equal([['mp4_480', 'mp3']]);
  });

  it('are films: sound, pictures and films of which nothing can be made are stored and no more', async () => {
    const sound = await kit.make('tone.mp3', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'libmp3lame']);
    expect(await queued(await uploadToHost(sound, 'tone.mp3'))).to.deep.equal([]);
    const picture = await kit.make('still.png', ['-f', 'lavfi', '-i', 'color=s=64x64', '-frames:v', '1']);
    expect(await queued(await uploadToHost(picture, 'still.png'))).to.deep.equal([]);
    await kit.lyceum.make.settings('media_converter', {
      default_formats: ['mp4_1080'],
    });
    expect(await queued(await uploadToHost(film, 'film.mp4'))).to.deep.equal([]);
    await kit.lyceum.make.settings('media_converter', {
      default_formats: ['mp4_480'],
    });
  });

  it('are left alone where the module is off, and a refused wish leaves no attachment', async () => {
    const superAdmin = kit.as(await kit.lyceum.make.user({ superAdminOf: 1 }));
    const toggle = (enabled: boolean) =>
      superAdmin.put('svc/modules/v1/modules/media_converter', { enabled }).expect(200);
    await toggle(false);
    const id = await uploadToHost(film, 'film.mp4');
    await toggle(true);
    expect(await queued(id)).to.deep.equal([]);
    const count = async () => Number((await kit.lyceum.host.db.knex('attachments').count('* as n'))[0]?.n);
    const before = await count();
    await kit.author
      .post(`${route}/encode`)
      .field('formats', 'mp4_1080')
      .attach('file', film, 'film.mp4')
      .expect(400);
    expect(await count()).to.equal(before);
  });
});
