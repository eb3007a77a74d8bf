import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import {
  type Client,
  type Identity,
  nobody,
  samples,
  startTestHost,
  type TestHost,
  type TestUser,
} from '../kit/index.ts';
import { FileClient, media } from './file-kit.ts';

describe('the file server: whom it serves', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let author: Client;
  let files: FileClient;
  let now: Date;
  beforeEach(async () => {
    now = new Date();
    lyceum = await startTestHost({ modules: [], now: () => now });
    user = await lyceum.make.user({ role: 'author' });
    author = lyceum.as(user);
    files = new FileClient(lyceum, author);
  });
  afterEach(() => lyceum.stop());

  it('hides a private file from all but those who may read it', async () => {
    const { id, path } = await files.upload(samples.png, 'a.png');
    await author.patch(`${media}/${id}`, { status: 'private' }).expect(200);
    const cookieOf = async (someone: TestUser): Promise<Identity> =>
      (await lyceum.make.session(someone.id)).cookie;
    const editor = await lyceum.make.user({ role: 'editor' });
    const stranger = await lyceum.make.user({ role: 'author' });
    const subscriber = await lyceum.make.user({ role: 'subscriber' });
    const nobodyHere = await lyceum.make.user();
    const elsewhere = await lyceum.make.site();
    const administratorElsewhere = await lyceum.make.user({ role: 'administrator', site: elsewhere.blog_id });

    const hidden = await files.ask(path);
    expect([hidden.status, JSON.parse(hidden.bytes.toString()).code]).to.deep.equal([404, 'file_not_found']);
    expect(hidden.headers.get('cache-control')).to.equal('no-store');
    // A cookie alone is enough; other credentials open no plain address.
    const shown = await files.ask(path, {}, 'GET', await cookieOf(user));
    expect([shown.status, shown.headers.get('cache-control')]).to.deep.equal([
      200,
      'private, max-age=0, must-revalidate',
    ]);
    expect(await files.status(path, await cookieOf(editor))).to.equal(200);
    expect(await files.status(path, await cookieOf(await lyceum.make.admin()))).to.equal(200);
    expect(await files.status(path, editor)).to.equal(404);
    for (const someone of [stranger, subscriber, nobodyHere, administratorElsewhere])
      expect(await files.status(path, await cookieOf(someone))).to.equal(404);
    // A right on another site stays there, also when the address names that site.
    expect(
      await files.status(`${path}?blog_id=${elsewhere.blog_id}`, await cookieOf(administratorElsewhere)),
    ).to.equal(404);

    await author.patch(`${media}/${id}`, { status: 'publish' }).expect(200);
    expect(await files.status(path)).to.equal(200);
    await author.delete(`${media}/${id}`).expect(200);
    for (const identity of [nobody, await cookieOf(user), await cookieOf(editor)])
      expect(await files.status(path, identity)).to.equal(404);
    await author.delete(`${media}/${id}?force=true`).expect(200);
    expect(await files.status(path, await cookieOf(user))).to.equal(404);
  });

  it('opens a private file under a grant, until it expires or the attachment goes', async () => {
    const { id, path } = await files.upload(samples.png, 'a.png');
    const other = await files.upload(samples.png, 'b.png');
    for (const one of [id, other.id])
      await author.patch(`${media}/${one}`, { status: 'private' }).expect(200);
    const address = await files.granted(id, now, 60);
    expect(address).to.match(/^\/files\/~[A-Za-z0-9_-]{38}\/media\//);
    const opened = await files.ask(address);
    expect([
      opened.status,
      opened.headers.get('cache-control'),
      opened.headers.get('access-control-allow-origin'),
    ]).to.deep.equal([200, 'private, max-age=0, must-revalidate', '*']);
    expect(opened.bytes.equals(samples.png)).to.equal(true);
    expect((await files.ask(address, { Range: 'bytes=0-3' })).status).to.equal(206);
    expect(await files.status(path)).to.equal(404);

    const [, , segment = ''] = address.split('/');
    expect(await files.status(`/files/${segment}${other.path.slice('/files'.length)}`)).to.equal(404);
    const rest = path.slice('/files'.length);
    for (const [at, character] of [...segment].entries()) {
      const altered = `${segment.slice(0, at)}${character === 'A' ? 'B' : 'A'}${segment.slice(at + 1)}`;
      expect(await files.status(`/files/${altered}${rest}`), altered).to.equal(404);
    }
    for (const bad of [`~${rest}`, `~~${rest}`, segment, `${segment}/`, `${segment}/${segment}${rest}`])
      expect((await files.raw(`/files/${bad}`)).status, bad).to.equal(404);

    now = new Date(now.getTime() + 61_000);
    expect(await files.status(address)).to.equal(404);
    const next = await files.granted(id, now, 60);
    expect(await files.status(next)).to.equal(200);
    await author.delete(`${media}/${id}`).expect(200);
    expect(await files.status(next)).to.equal(404);
    // Out of the trash again, what was granted before stays void.
    await author.patch(`${media}/${id}`, { status: 'private' }).expect(200);
    expect(await files.status(next)).to.equal(404);
    const last = await files.granted(id, now, 60);
    expect(await files.status(last)).to.equal(200);
    await author.delete(`${media}/${id}?force=true`).expect(200);
    expect(await files.status(last)).to.equal(404);
  });

  it('finds nothing beside what the host made', async () => {
    const { path } = await files.upload(samples.png, 'a.png');
    const [, , , folder = '', name = ''] = path.split('/');
    expect(await files.status(`/files/media/${folder}/%61.png`)).to.equal(200);
    for (const address of [
      '/files/',
      '/files//',
      '/files/media',
      `/files/media/${folder}/`,
      `/files/media/${folder}/${name}/`,
      `/files/media/${folder}//${name}`,
      `/files/media/${folder}/./${name}`,
      `/files/media/x/../${folder}/${name}`,
      `/files/media/${folder}%2F${name}`,
      `/files/media/${folder}%2f${name}`,
      `/files/media/${folder}%5C${name}`,
      `/files/media/${folder}/%2e%2e/${folder}/${name}`,
      `/files/media/${folder}/${name}%00`,
      `/files/media/${folder}/${name}%00.png`,
      `/files/media/${folder}/${name}%zz`,
      `/files/media/${folder}/%2561.png`,
      `/files/media/${folder.toUpperCase()}/${name}`,
      '/files/../../etc/passwd',
      '/files/%2e%2e/%2e%2e/etc/passwd',
      `/files/sites/1/media/${folder}/${name}`,
      `/files/${'a/'.repeat(3_000)}a`,
      `/files/${'a'.repeat(10_000)}`,
    ]) {
      expect(await files.raw(address), address.slice(0, 80)).to.deep.equal({
        status: 404,
        code: 'file_not_found',
      });
    }
    const keys = await readdir(`${lyceum.dataDir}/files/sites/1/media/${folder}`);
    expect(await files.status(`/files/media/${folder}/${keys[0]}`)).to.equal(404);
  });

  it("keeps one site's files from another's address", async () => {
    const { path } = await files.upload(samples.png, 'a.png');
    const site = await lyceum.make.site('lab');
    expect(await files.status(path)).to.equal(200);
    expect(await files.status(`/lab${path}`)).to.equal(404);
    const there = lyceum.as(await lyceum.make.user({ role: 'author', site: site.blog_id }), site);
    const { body } = await there.post(media).attach('file', samples.png, 'a.png').expect(201);
    const other = new URL(body.url).pathname;
    expect(other.startsWith('/lab/files/media/')).to.equal(true);
    expect(await files.status(other)).to.equal(200);
    expect(await files.status(other.slice('/lab'.length))).to.equal(404);
    await lyceum.host.db.knex('sites').where('blog_id', site.blog_id).update({ archived: 1 });
    expect(await files.status(other)).to.equal(410);
  });
});
