import { PlaybackArtifacts } from '@lyceum/core';
import { type Client, runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { saying, srt, TrackKit } from './track-kit.ts';

describe('who may do what with text tracks', () => {
  let kit: TrackKit;
  beforeEach(async () => {
    kit = await TrackKit.start();
    await kit.add({ srclang: 'en', content: srt }).expect(201);
  });
  afterEach(() => kit.lyceum.stop());

  const person = async (role: string, site?: number): Promise<Client> =>
    kit.lyceum.as(await kit.lyceum.make.user(site === undefined ? { role } : { role, site }));

  /** Statuses of reading, adding, replacing, uploading, changing and deleting. */
  async function statuses(client: Client, query = ''): Promise<number[]> {
    const route = (below = ''): string => `${kit.route(below)}${query}`;
    return [
      (await client.get(route())).status,
      (await client.post(route(), { label: 'x', content: srt })).status,
      (await client.put(route(), { tracks: [{ index: 0 }] })).status,
      (await client.post(route('/upload')).attach('file', Buffer.from(srt), 'a.fr.srt')).status,
      (await client.patch(route('/0'), { label: 'y' })).status,
      (await client.delete(route('/0'))).status,
    ];
  }

  it('published ones are read by every member and written by whoever may edit the attachment', async () => {
    expect(await statuses(kit.lyceum.anonymous)).to.deep.equal([401, 401, 401, 401, 401, 401]);
    expect(await statuses(await person('subscriber'))).to.deep.equal([200, 403, 403, 403, 403, 403]);
    expect(await statuses(await person('contributor'))).to.deep.equal([200, 403, 403, 403, 403, 403]);
    expect(await statuses(await person('author'))).to.deep.equal([200, 403, 403, 403, 403, 403]);
    const other = await kit.lyceum.make.site();
    expect(await statuses(await person('administrator', other.blog_id))).to.deep.equal([
      403, 403, 403, 403, 403, 403,
    ]);
    expect(await statuses(await person('editor'))).to.deep.equal([200, 201, 200, 201, 200, 200]);
  });

  it('private ones are read by their author and by editors', async () => {
    await kit.author.patch(`svc/host/v1/media/${kit.id}`, { status: 'private' }).expect(200);
    expect(await statuses(await person('subscriber'))).to.deep.equal([403, 403, 403, 403, 403, 403]);
    expect(await statuses(await person('author'))).to.deep.equal([403, 403, 403, 403, 403, 403]);
    expect((await (await person('editor')).get(kit.route())).status).to.equal(200);
    expect(await statuses(kit.author)).to.deep.equal([200, 201, 200, 201, 200, 200]);
  });

  it('are those of one site', async () => {
    const other = await kit.lyceum.make.site();
    const admin = kit.lyceum.as(await kit.lyceum.make.admin());
    expect(await statuses(admin, `?blog_id=${other.blog_id}`)).to.deep.equal([404, 404, 404, 404, 404, 404]);
    expect(await statuses(admin, '?blog_id=99999')).to.deep.equal([404, 404, 404, 404, 404, 404]);
    expect(await statuses(admin, '?blog_id=x')).to.deep.equal([400, 400, 400, 400, 400, 400]);
    const unknown = await admin.get(`${kit.route()}?blog_id=99999`).expect(404);
    expect(unknown.body.code).to.equal('unknown_blog');
    const elsewhere = kit.lyceum.as(await kit.lyceum.make.admin(), other);
    await elsewhere.get(kit.route()).expect(404);
    const { body } = await elsewhere.get(`${kit.route()}?blog_id=1`).expect(200);
    // The address is that of the attachment's own site.
    expect(new URL(body[0].url).pathname).to.match(/^\/files\/artifacts\//);
    await elsewhere.post(`${kit.route()}?blog_id=1`, { label: 'x', content: srt }).expect(201);
  });

  it('go on playing while the module is off', async () => {
    const [track] = await kit.list();
    const admin = kit.lyceum.as(await kit.lyceum.make.admin());
    await admin.put('svc/modules/v1/modules/media_subtitles_timecodes', { enabled: false }).expect(200);
    expect((await admin.get(kit.route()).expect(404)).body.code).to.equal('rest_no_route');
    expect((await kit.file(track?.url)).status).to.equal(200);
  });

  it('go with their file, and are kept when it is renamed', async () => {
    await kit.add({ srclang: 'de', content: saying('b') }).expect(201);
    const artifacts = kit.lyceum.host.services.host(PlaybackArtifacts);
    const [etag, [first]] = [await kit.etag(), await artifacts.list(1, kit.id, { folder: 'subtitles' })];
    if (!first) throw new Error('no artifact');
    await kit.lyceum.host.db.transaction((trx) => artifacts.rename(trx, first, 'german.vtt'));
    const names = (await kit.list()).map(({ name }) => name);
    expect(names).to.include('german.vtt');
    expect(await kit.etag()).not.to.equal(etag);
    await kit.lyceum.host.db.transaction((trx) => artifacts.drop(trx, 1, kit.id, { names: ['german.vtt'] }));
    expect((await kit.list()).map(({ name }) => name)).to.deep.equal(
      names.filter((name) => name !== 'german.vtt'),
    );
    await kit.lyceum.host.db.transaction((trx) => artifacts.dropAll(trx, 1, kit.id));
    expect(await kit.list()).to.deep.equal([]);
    expect((await kit.add({ content: srt }).expect(201)).body.index).to.equal(2);
    await runSchedule(kit.lyceum, 'host.sweep-artifacts');
  });
});
