import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Entry, MediaKit, route } from './media-kit.ts';

/** What many do with one queue at one time. */
describe('media_converter: many at one queue', () => {
  let kit: MediaKit;
  let admin: Client;
  let film: Buffer;
  before(async () => {
    kit = await MediaKit.start();
    admin = kit.as(await kit.lyceum.make.user({ role: 'administrator', superAdminOf: 1 }));
    await kit.lyceum.make.settings('media_converter', { preset: 'veryslow' });
    film = await kit.slowFilm(10);
  });
  after(() => kit.stop());

  const until = async (key: string, isSo: (entry: Entry) => boolean): Promise<void> => {
    for (let entry = await kit.entry(key, 0, admin); !isSo(entry); ) entry = await kit.entry(key, 20, admin);
  };

  const isRunning = ({ status }: Entry): boolean => status === 'running';

  const clear = () => admin.post(`${route}/queue/clear`, { status: 'all' }).expect(200);

  it('nobody who cancels, retries, removes or asks again is in the way of another', async () => {
    const ids = await Promise.all([1, 2].map(() => kit.upload(film)));
    const formats = ['mp4_480', 'webm_vp9'];
    for (let round = 0; round < 3; round += 1) {
      const keys = await Promise.all(ids.map((id) => kit.encode(id, formats, admin)));
      const cancel = (key: string, format: string) =>
        admin.post(`${route}/queue/${key}/formats/${format}/cancel`);
      await Promise.all(keys.map((key) => cancel(key, 'webm_vp9').expect(200)));
      const answers = await Promise.all(
        keys.flatMap((key, at) => [
          cancel(key, 'mp4_480'),
          admin.post(`${route}/queue/control`, {
            action: 'retry',
            queue_key: key,
          }),
          cancel(key, 'webm_vp9'),
          admin.post(`${route}/attachments/${ids[at]}/encode`, {
            formats: ['webm_vp9'],
          }),
          admin.delete(`${route}/queue/${key}`),
          admin.post(`${route}/queue/control`, {
            action: 'retry',
            queue_key: key,
          }),
        ]),
      );
      for (const { status, body } of answers) {
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 202, 404, 409]);
      }
      await clear();
    }
  }).timeout(120_000);

  it('more of those that wait begin as soon as more may run at once', async () => {
    const running = async () => {
      const { body } = await admin.get(`${route}/queue?status=running`).expect(200);
      return body.length as number;
    };
    const keys = [];
    for (let n = 0; n < 3; n += 1) {
      keys.push(await kit.encode(await kit.upload(film, 'film.mp4', admin), ['mp4_480'], admin));
    }
    await until(keys[0] ?? '', isRunning);
    expect(await running()).to.equal(1);
    await admin.patch(`${route}/settings`, { concurrency: 2 }).expect(200);
    await until(keys[1] ?? '', isRunning);
    expect(await running()).to.equal(2);
    expect((await kit.entry(keys[2] ?? '', 0, admin)).position).to.equal(1);
    await admin.patch(`${route}/settings`, { concurrency: null }).expect(200);
    await clear();
  }).timeout(60_000);

  it('a picture does not stand behind films: it is next', async () => {
    const id = await kit.upload(film, 'film.mp4', admin);
    await admin.post(`${route}/queue/control`, { action: 'pause' }).expect(200);
    const first = await kit.encode(id, ['mp4_480'], admin);
    const second = await kit.encode(id, ['webm_vp9'], admin);
    const { body } = await admin
      .post(`${route}/attachments/${id}/frame-miniatures`, { count: 1 })
      .expect(202);
    const place = async (key: string) => (await kit.entry(key, 0, admin)).position;
    expect(await Promise.all([first, second, body.queue_key].map(place))).to.deep.equal([1, 2, 1]);
    await clear();
    await admin.post(`${route}/queue/control`, { action: 'resume' }).expect(200);
  }).timeout(60_000);
});
