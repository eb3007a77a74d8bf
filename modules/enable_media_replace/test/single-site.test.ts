import { samples, startTestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { otherJpg, ReplaceKit, route } from './replace-kit.ts';

describe('enable_media_replace: on an installation of one site', () => {
  it('takes no other blog_id than its own', async () => {
    const lyceum = await startTestHost({
      modules: ['enable_media_replace'],
      config: { multisite: 'off' },
    });
    const kit = new ReplaceKit(lyceum, await lyceum.make.user({ role: 'author' }));
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    await kit.replace(photo.id, otherJpg, 'a.jpg', { blog_id: 1 }).expect(200);
    const { body } = await kit.replace(photo.id, otherJpg, 'a.jpg', { blog_id: 2 }).expect(400);
    expect(body.code).to.equal('invalid_blog');
    await kit.client.get(`${route}/${photo.id}/replace-info?blog_id=2`).expect(400);
    await lyceum.stop();
  });
});
