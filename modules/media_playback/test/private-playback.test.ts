import { randomUUID } from 'node:crypto';
import { FileLinks } from '@lyceum/core';
import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import { film, PlaybackKit, space } from './playback-kit.ts';

const hour = 3_600_000;

describe('playback of what is not public', () => {
  let kit: PlaybackKit;
  let now: Date;
  let logLines: string[];
  beforeEach(async () => {
    now = new Date('2026-05-01T10:00:00Z');
    logLines = [];
    kit = await PlaybackKit.start({ now: () => now, logLines });
    await kit.looksLike('video/mp4', film);
    await kit.mp4(480);
    await kit.track({ srclang: 'en', cues: [[0, 1, 'x']] });
  });
  afterEach(() => kit.lyceum.stop());

  const change = (fields: object) => kit.author.patch(`svc/host/v1/media/${kit.id}`, fields).expect(200);
  const person = async (role: string, site = 1): Promise<Client> =>
    kit.lyceum.as(await kit.lyceum.make.user({ role, site }));
  const path = (address: string): string => new URL(address).pathname;

  it('is for its author and for editors, under addresses that open the files without cookies', async () => {
    const plain = (await kit.show()).sources[0].src;
    expect(await kit.status(plain)).to.equal(200);
    await change({ status: 'private' });
    expect((await (await person('subscriber')).get(kit.route()).expect(403)).body.code).to.equal(
      'rest_forbidden',
    );
    await (await person('author')).get(kit.route()).expect(403);
    const body = await kit.show('', await person('editor'));
    const addresses = [body.sources[0].src, body.tracks[0].src];
    for (const address of addresses) {
      expect(path(address)).to.match(/^\/files\/~[A-Za-z0-9_-]{38}\/artifacts\//);
      expect(await kit.status(address)).to.equal(200);
    }
    expect(await kit.status(plain)).to.equal(404);
    const range = await fetch(`${kit.lyceum.origin}${path(addresses[0] ?? '')}`, {
      headers: { Range: 'bytes=0-2' },
    });
    expect([range.status, (await range.text()).length]).to.deep.equal([206, 3]);
    expect(range.headers.get('access-control-allow-origin')).to.equal('*');
    await change({ status: 'publish' });
    expect(await kit.status(plain)).to.equal(200);
    expect((await kit.show()).urls_expire_at).to.equal(null);
  });

  it('is for those who may edit it while it has another status', async () => {
    await kit.lyceum.host.db.knex('posts').where('id', kit.id).update({ status: 'draft' });
    await (await person('subscriber')).get(kit.route()).expect(403);
    await (await person('contributor')).get(kit.route()).expect(403);
    await (await person('editor')).get(kit.route()).expect(200);
    expect((await kit.show()).sources[0].src).to.include('/files/~');
  });

  it('has addresses that end, and are the same for half their time', async () => {
    await change({ status: 'private' });
    const first = await kit.author.get(kit.route()).expect(200);
    const expires = first.body.urls_expire_at;
    expect(expires).to.equal('2026-05-01T15:00:00.000Z');
    now = new Date(now.getTime() + 2 * hour - 1000);
    const same = await kit.author.get(kit.route()).expect(200);
    expect([same.text, same.headers.etag]).to.deep.equal([first.text, first.headers.etag]);
    now = new Date(now.getTime() + 2000);
    const next = await kit.author.get(kit.route()).expect(200);
    expect(next.body.urls_expire_at).to.equal('2026-05-01T18:00:00.000Z');
    expect(next.headers.etag).not.to.equal(first.headers.etag);
    const [old] = first.body.sources;
    now = new Date('2026-05-01T14:59:59Z');
    expect(await kit.status(old.src)).to.equal(200);
    now = new Date('2026-05-01T15:00:00Z');
    expect(await kit.status(old.src)).to.equal(404);
    await kit.settings({ grant_seconds: 61 });
    const short = Date.parse((await kit.show()).urls_expire_at) - now.getTime();
    expect(short).to.be.within(30_500, 62_000);
  });

  it('opens the files of one attachment, by a grant that nobody changed', async () => {
    await change({ status: 'private' });
    const { src } = (await kit.show()).sources[0];
    const good = path(src);
    const [, , grant = ''] = good.split('/');
    const attachment = await kit.lyceum.host.db.knex('attachments').where('post_id', kit.id).first();
    const links = kit.lyceum.host.services.host(FileLinks);
    const other = links.granted({ url: 'http://localhost/' }, good.split('/').slice(3).join('/'), {
      ...{ attachmentId: kit.id + 1, expires: Math.floor(now.getTime() / 1000) + 60 },
      epoch: attachment.grant_epoch,
    });
    const altered = `~${grant.charAt(1) === 'A' ? 'B' : 'A'}${grant.slice(2)}`;
    for (const wrong of [
      good.replace(grant, altered),
      good.replace(grant, grant.slice(0, -1)),
      good.replace(grant, '~'),
      good.replace(grant, `~${'A'.repeat(38)}`),
      path(other),
      good.replace('/artifacts/', '/../artifacts/'),
      good.replace('/artifacts/', '%2Fartifacts/'),
      good.replace('/artifacts/', '/..%2F..%2Fartifacts/'),
    ])
      expect(await kit.status(`http://localhost${wrong}`), wrong).to.equal(404);
    expect(await kit.status(src)).to.equal(200);
    expect(logLines.some((line) => line.includes(grant.slice(1)))).to.equal(false);
    await kit.author.delete(`svc/host/v1/media/${kit.id}`).expect(200);
    expect(await kit.status(src)).to.equal(404);
    expect((await kit.author.get(kit.route()).expect(404)).body.code).to.equal('attachment_not_found');
    // Restored, it does not open again to those who had an address.
    await change({ status: 'private' });
    expect(await kit.status(src)).to.equal(404);
    expect(await kit.status((await kit.show()).sources[0].src)).to.equal(200);
  });

  it('is asked for by whoever may read, on the attachment’s own site', async () => {
    const anonymous = await kit.lyceum.anonymous.get(kit.route()).expect(401);
    expect(anonymous.body.code).to.equal('rest_forbidden');
    await (await person('subscriber')).get(kit.route()).expect(200);
    const other = await kit.lyceum.make.site();
    await (await person('administrator', other.blog_id)).get(kit.route()).expect(403);
    const admin = await kit.lyceum.make.admin();
    const elsewhere = kit.lyceum.as(admin, other);
    expect((await elsewhere.get(kit.route()).expect(404)).body.code).to.equal('attachment_not_found');
    const { body } = await elsewhere.get(kit.route('?blog_id=1')).expect(200);
    expect([body.blog_id, path(body.sources[0].src).startsWith('/files/')]).to.deep.equal([1, true]);
    const super_ = kit.lyceum.as(admin);
    expect((await super_.get(kit.route(`?blog_id=${other.blog_id}`)).expect(404)).body.code).to.equal(
      'attachment_not_found',
    );
    expect((await super_.get(kit.route('?blog_id=99999')).expect(404)).body.code).to.equal('unknown_blog');
    expect((await super_.get(kit.route('?blog_id=abc')).expect(400)).body.code).to.equal('invalid_blog');
    const foreign = await kit.lyceum.make.network();
    expect((await super_.get(kit.route(`?blog_id=${foreign.blog_id}`)).expect(404)).body.code).to.equal(
      'unknown_blog',
    );
  });

  it('is of videos and sounds alone', async () => {
    for (const [id, status, code] of [
      [0, 404, 'attachment_not_found'],
      [-1, 404, 'attachment_not_found'],
      ['9223372036854775808', 404, 'attachment_not_found'],
      [99_999, 404, 'attachment_not_found'],
      ['abc', 404, 'rest_no_route'],
      [randomUUID(), 404, 'rest_no_route'],
    ] as const) {
      const { body } = await kit.author.get(`${space}/attachments/${id}`).expect(status);
      expect(body.code, String(id)).to.equal(code);
    }
    await kit.looksLike('image/jpeg', null);
    expect((await kit.author.get(kit.route()).expect(400)).body.code).to.equal('not_media_attachment');
  });

  it('shows what is stored without the modules that made it, and is gone with its own', async () => {
    expect([...kit.lyceum.host.modules.keys()]).not.to.include('media_subtitles_timecodes');
    expect((await kit.show()).tracks).to.have.length(1);
    const admin = kit.lyceum.as(await kit.lyceum.make.admin());
    await admin.put('svc/modules/v1/modules/media_playback', { enabled: false }).expect(200);
    expect((await kit.author.get(kit.route()).expect(404)).body.code).to.equal('rest_no_route');
  });
});
