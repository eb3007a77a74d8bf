import type { ChildProcess } from 'node:child_process';
import { killWorker, startWorker } from '@lyceum/core/testing';
import { expect } from 'chai';
import { MediaKit, route } from './media-kit.ts';

describe('media_converter: a worker that is killed', () => {
  let kit: MediaKit;
  before(async () => {
    kit = await MediaKit.start({ config: { workers: 'off' } });
  });
  const workers: ChildProcess[] = [];
  after(async () => {
    for (const worker of workers) await killWorker(worker);
    await kit.stop();
  });

  it('takes its ffmpeg along, and another one makes the format whole, once', async () => {
    await kit.lyceum.make.settings('media_converter', { preset: 'medium' });
    const id = await kit.upload(await kit.slowFilm(10));
    const first = await startWorker(kit.lyceum, ['media_converter']);
    workers.push(first);
    const key = await kit.encode(id, ['mp4_480']);
    const before = await kit.until(key, ({ percent }) => percent >= 10);
    expect(before.formats[0]?.status).to.equal('running');
    expect(await kit.encoders()).to.have.length(1);
    await killWorker(first);
    const until = Date.now() + 5_000;
    while ((await kit.encoders()).length > 0) expect(Date.now()).to.be.lessThan(until);

    const second = await startWorker(kit.lyceum, ['media_converter']);
    workers.push(second);
    const began = Date.now();
    const after = await kit.until(key, ({ formats }) => (formats[0]?.attempts ?? 0) > 1);
    expect(Date.now() - began).to.be.lessThan(60_000);
    expect(after.percent).to.be.at.least(before.percent);
    const entry = await kit.ended(key);
    expect(entry).to.include({ status: 'completed', percent: 100 });
    const { body } = await kit.author.get(`${route}/attachments/${id}/artifacts`).expect(200);
    expect(body.sources).to.have.length(1);
    expect((await kit.probe(entry.formats[0]?.url ?? '')).duration).to.be.closeTo(10, 1);
  }).timeout(120_000);
});
