import { samples } from '@lyceum/core/testing';
import { expect } from 'chai';
import { fromBuffer } from 'yauzl';
import { MediaKit, route } from './media-kit.ts';

describe('media_converter: stills, thumbnails, posters and files', () => {
  let kit: MediaKit;
  let id: number;
  before(async () => {
    kit = await MediaKit.start();
    id = await kit.upload(await kit.film('320x180', 60));
  });
  after(() => kit.stop());

  const at = (path: string): string => `${route}/attachments/${id}/${path}`;

  async function done(path: string, body: object) {
    const answer = await kit.author.post(at(path), body).expect(202);
    const entry = await kit.ended(answer.body.queue_key);
    expect(entry.error).to.equal(null);
    return { formats: answer.body.formats, entry };
  }

  it('takes stills at times, and deletes them', async () => {
    const { formats } = await done('frame-miniatures', { count: 3, width: 100 });
    expect(formats).to.deep.equal(['stills']);
    await done('frame-miniatures', { times: [59.95, 0] });
    const { body } = await kit.author.get(at('frame-miniatures')).expect(200);
    expect(body.map(({ time }: { time: number }) => time)).to.deep.equal([0, 10, 30, 50, 59.95]);
    expect(body.map(({ width }: { width: number }) => width)).to.deep.equal([320, 100, 100, 100, 320]);
    expect((await kit.fetch(body[1].url)).subarray(0, 2).toString('hex')).to.equal('ffd8');
    const { name } = body[1];
    await kit.author
      .delete(`${at('frame-miniatures')}?name=${name}`)
      .expect(200, { deleted: 1, attachment_id: id });
    await kit.author.delete(`${at('frame-miniatures')}?name=${name}`).expect(404);
    await done('frame-miniatures', { interval: 30, replace: true });
    const { body: replaced } = await kit.author.get(at('frame-miniatures')).expect(200);
    expect(replaced.map(({ time }: { time: number }) => time)).to.deep.equal([0, 30]);
    for (const wrong of [
      { count: 1, interval: 2 },
      { count: 61 },
      { times: [60] },
      { times: [-1] },
      { interval: 0.5 },
      { width: 10 },
      { times: [] },
    ])
      await kit.author.post(at('frame-miniatures'), wrong).expect(400);
  }).timeout(90_000);

  it('makes sheets of tiles, and a track whose cues touch', async () => {
    await done('thumbnails', { interval_seconds: 5 });
    const { body } = await kit.author.get(at('thumbnails')).expect(200);
    expect(body).to.include({
      count: 12,
      interval_seconds: 5,
      tile_width: 160,
      tile_height: 90,
      columns: 10,
    });
    expect(body.sprites).to.have.length(1);
    const vtt = (await kit.fetch(body.vtt.url)).toString();
    const cues = [...vtt.matchAll(/([\d:.]+) --> ([\d:.]+)\n(.+)#xywh=(\d+),(\d+),(\d+),(\d+)\n/g)];
    expect(cues).to.have.length(12);
    expect([cues[0]?.[1], cues.at(-1)?.[2]]).to.deep.equal(['00:00:00.000', '00:01:00.000']);
    for (const [n, cue] of cues.entries()) {
      if (n > 0) expect(cue[1]).to.equal(cues[n - 1]?.[2]);
      const [x, y, w, h] = cue.slice(4).map(Number) as [number, number, number, number];
      expect(x + w).to.be.at.most(body.sprites[0].width);
      expect(y + h).to.be.at.most(body.sprites[0].height);
    }
    const sheet = body.sprites[0];
    expect(cues[0]?.[3]).to.equal(sheet.name);
    expect(await kit.fetch(body.vtt.url.replace(body.vtt.name, sheet.name))).to.have.length(sheet.bytes);

    // What names a sheet follows when it is renamed.
    await kit.author
      .patch(at('artifacts/thumbnails'), { name: sheet.name, new_name: 'sheet.jpg' })
      .expect(200);
    const { body: after } = await kit.author.get(at('thumbnails')).expect(200);
    expect((await kit.fetch(after.vtt.url)).toString()).to.include('\nsheet.jpg#xywh=0,0,160,90\n');
  }).timeout(60_000);

  it('has a poster that outlives the still that it came from', async () => {
    await done('frame-miniatures', { count: 1, replace: true });
    const { body: stills } = await kit.author.get(at('frame-miniatures')).expect(200);
    const path = at('thumbnails/poster');
    const { body } = await kit.author.patch(path, { name: stills[0].name }).expect(200);
    await kit.author.delete(at('frame-miniatures')).expect(200);
    await kit.fetch(body.poster);
    const shown = async () => (await kit.author.get(at('thumbnails')).expect(200)).body.poster;
    expect(await shown()).to.deep.equal({ url: body.poster, source: 'still', time: 30 });
    expect((await kit.author.get(`${route}/attachments/${id}`).expect(200)).body.poster).to.equal(
      body.poster,
    );

    await kit.author.patch(path, { time: 2.5 }).expect(200);
    expect(await shown()).to.include({ source: 'time', time: 2.5 });
    const image = await kit.author.post('svc/host/v1/media').attach('file', samples.png, 'a.png').expect(201);
    const { body: third } = await kit.author.patch(path, { attachment_id: image.body.id }).expect(200);
    expect(await kit.fetch(third.poster)).to.deep.equal(samples.png);
    expect(await shown()).to.include({ source: 'attachment', time: null });
    await kit.author.patch(path, { name: 'nothing.jpg' }).expect(404);
    await kit.author.patch(path, { attachment_id: id }).expect(404);
    for (const wrong of [{}, { time: 1, name: 'a.jpg' }, { time: 60 }, { time: '1' }])
      await kit.author.patch(path, wrong).expect(400);
    await kit.author.delete(path).expect(200, { attachment_id: id, poster: '' });
    await kit.author.delete(path).expect(200);
    expect(await shown()).to.equal(null);
  }).timeout(60_000);

  it('lists, renames, packs and deletes files', async () => {
    await kit.ended(await kit.encode(id, ['mp3']));
    const { body } = await kit.author.get(at('artifacts')).expect(200);
    expect(body).to.include({ attachment_id: id, basename: 'film', poster: '' });
    const [source] = body.sources;
    expect(source.name).to.match(/^sources\/film-mp3-[0-9a-f]{8}\.mp3$/);
    expect(body.formats.mp3).to.deep.equal({ exists: true, url: source.url });
    const bare = source.name.slice('sources/'.length);
    const renamed = await kit.author
      .patch(at('artifacts/sources'), { name: bare, new_name: 'talk.mp3' })
      .expect(200);
    expect(renamed.body.formats.mp3.url).to.match(/\/sources\/talk\.mp3$/);
    await kit.fetch(renamed.body.formats.mp3.url);
    const wrong = async (status: number, code: string, folder: string, name: string, new_name: string) => {
      const answer = await kit.author.patch(at(`artifacts/${folder}`), { name, new_name }).expect(status);
      expect(answer.body.code).to.equal(code);
    };
    await wrong(404, 'folder_not_found', 'secrets', 'talk.mp3', 'a.mp3');
    await wrong(404, 'artifact_not_found', 'sources', '../talk.mp3', 'a.mp3');
    await wrong(400, 'rest_invalid_param', 'sources', 'talk.mp3', '../a.mp3');
    await wrong(400, 'rest_invalid_param', 'sources', 'talk.mp3', 'a.mp4');

    const { entry } = await done('artifacts/pack', { folders: ['sources', 'thumbnails'] });
    const zip = await kit.fetch(entry.formats[0]?.url ?? '');
    expect(await namesIn(zip)).to.include.members(['sources/talk.mp3', 'thumbnails/sheet.jpg']);
    await kit.author.post(at('artifacts/pack'), { folders: ['chapters'] }).expect(400);

    const gone = await kit.author.delete(`${at('artifacts/sources')}?name=talk.mp3`).expect(200);
    expect(gone.body).to.deep.equal({ deleted: 1, attachment_id: id, folder: 'sources' });
    await kit.author.delete(`${at('artifacts/sources')}?name=talk.mp3`).expect(404);
    const all = await kit.author.delete(at('artifacts/thumbnails')).expect(200);
    expect(all.body.deleted).to.equal(2);
    const image = await kit.author.post('svc/host/v1/media').attach('file', samples.png, 'b.png').expect(201);
    const refused = await kit.author.get(`${route}/attachments/${image.body.id}/artifacts`).expect(400);
    expect(refused.body.code).to.equal('not_video_attachment');
  }).timeout(60_000);
});

function namesIn(zip: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(zip, {}, (error, file) => {
      if (error) return reject(error);
      const names: string[] = [];
      file.on('entry', (entry: { fileName: string }) => names.push(entry.fileName));
      file.on('end', () => resolve(names));
      file.on('error', reject);
    });
  });
}
