import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type Client, samples, startTestHost, type TestHost, type TestUser, wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import { mediaRoute, rows, storedKeys } from './media-kit.ts';

describe('host: media records', () => {
  let lyceum: TestHost;
  let users: Record<'author' | 'other' | 'editor' | 'subscriber' | 'contributor', TestUser>;
  let author: Client;
  let other: Client;
  let editor: Client;
  let subscriber: Client;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [] });
    const user = (role: string) => lyceum.make.user({ role });
    users = {
      author: await user('author'),
      other: await user('author'),
      editor: await user('editor'),
      subscriber: await user('subscriber'),
      contributor: await user('contributor'),
    };
    author = lyceum.as(users.author);
    other = lyceum.as(users.other);
    editor = lyceum.as(users.editor);
    subscriber = lyceum.as(users.subscriber);
  });
  afterEach(() => lyceum.stop());

  const upload = async (fields: Readonly<Record<string, string>> = {}, client = author) => {
    const request = client.post(mediaRoute);
    for (const [name, value] of Object.entries(fields)) request.field(name, value);
    const { body } = await request.attach('file', samples.png, 'photo.png').expect(201);
    return body;
  };
  const one = (id: number): string => `${mediaRoute}/${id}`;
  const ids = async (query: string, client = author): Promise<number[]> => {
    const { body } = await client.get(`${mediaRoute}?${query}`).expect(200);
    return body.map(({ id }: { id: number }) => id);
  };

  it('lists the newest first, in pages', async () => {
    const made: number[] = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await upload()).id);
    expect(await ids('')).to.deep.equal(made);
    const page = await author.get(`${mediaRoute}?per_page=2&page=2`).expect(200);
    expect(page.body.map(({ id }: { id: number }) => id)).to.deep.equal(made.slice(2));
    expect([page.headers['x-svc-total'], page.headers['x-svc-totalpages']]).to.deep.equal(['3', '2']);
    expect(page.headers.link).to.contain('rel="prev"');
  });

  it('finds by type, parent and words', async () => {
    const post = await author.post('svc/host/v1/posts', { title: 'x' }).expect(201);
    const picture = await upload({
      title: 'Fire exits',
      alt: 'ground floor',
      caption: '<b>Plan</b>',
      parent_id: String(post.body.id),
    });
    const sound = await author.post(mediaRoute).attach('file', wav(1), 'Сирена пожарная.wav').expect(201);
    expect(await ids('mime_type=image')).to.deep.equal([picture.id]);
    expect(await ids('mime_type=audio/wav')).to.deep.equal([sound.body.id]);
    expect(await ids('mime_type=%25')).to.deep.equal([]);
    expect(await ids(`parent_id=${post.body.id}`)).to.deep.equal([picture.id]);
    expect(await ids('parent_id=0')).to.deep.equal([sound.body.id]);
    for (const words of ['fire', 'FIRE exi', 'ground', 'plan', 'photo'])
      expect(await ids(`search=${encodeURIComponent(words)}`), words).to.deep.equal([picture.id]);
    expect(await ids(`search=${encodeURIComponent('пожар')}`)).to.deep.equal([sound.body.id]);
    expect(await ids('search=fire%20siren')).to.deep.equal([]);
    expect(await ids("search=%27%3A*%26'")).to.deep.equal([]);
    for (const bad of [
      'status=draft',
      'page=0',
      'per_page=101',
      'parent_id=-1',
      'parent_id=x',
      'mime_type=a%00',
    ])
      expect((await author.get(`${mediaRoute}?${bad}`).expect(400)).body.code, bad).to.equal(
        'rest_invalid_param',
      );
  });

  it('changes what is given and nothing else', async () => {
    const made = await upload({ title: 'One', alt: 'a', caption: 'c' });
    const same = await author.patch(one(made.id), {}).expect(200);
    expect(same.body).to.deep.equal(made);
    const post = await author.post('svc/host/v1/posts', { title: 'x' }).expect(201);
    const changes = {
      title: 'Two',
      slug: 'Мой слаг',
      alt: '',
      caption: 'd',
      parent_id: post.body.id,
      status: 'private',
    };
    const changed = await author.patch(one(made.id), changes).expect(200);
    const { modified_at, ...rest } = changed.body;
    const { modified_at: before, ...old } = made;
    expect(rest).to.deep.equal({ ...old, ...changes, slug: 'moy-slag' });
    expect(Date.parse(modified_at)).to.be.at.least(Date.parse(before));
    expect(await ids('search=two')).to.deep.equal([made.id]);
    expect(await ids('search=one')).to.deep.equal([]);
    const second = await upload({ title: 'Moy slag' });
    expect(second.slug).to.equal('moy-slag-2');
    const freed = await author.patch(one(made.id), { parent_id: 0 }).expect(200);
    expect(freed.body.parent_id).to.equal(0);
  });

  it('refuses bad changes', async () => {
    const made = await upload();
    for (const [body, name] of [
      [{ title: 1 }, 'title'],
      [{ title: 'x'.repeat(501) }, 'title'],
      [{ status: 'draft' }, 'status'],
      [{ status: 'trash' }, 'status'],
      [{ parent_id: '1' }, 'parent_id'],
      [{ parent_id: 999_999 }, 'parent_id'],
      [{ parent_id: made.id }, 'parent_id'],
      [{ alt: 'a\0b' }, 'alt'],
    ] as const) {
      const answer = await author.patch(one(made.id), body).expect(400);
      expect(Object.keys(answer.body.data.params), JSON.stringify(body).slice(0, 50)).to.deep.equal([name]);
    }
    const page = await editor.post('svc/host/v1/posts', { type: 'page', title: 'x' }).expect(201);
    await author.patch(one(made.id), { parent_id: page.body.id }).expect(403);
    for (const id of ['0', '-1', 'abc', '99999', '9223372036854775808', '1e1']) {
      const answer = await author.patch(`${mediaRoute}/${id}`, { title: 'x' }).expect(404);
      expect(answer.body.code, id).to.equal('attachment_not_found');
      await author.get(`${mediaRoute}/${id}`).expect(404);
      await author.delete(`${mediaRoute}/${id}?force=true`).expect(404);
    }
  });

  it('moves to the trash and back', async () => {
    const made = await upload();
    const trashed = await author.delete(one(made.id)).expect(200);
    expect(trashed.body).to.deep.include({ id: made.id, status: 'trash', title: made.title, url: made.url });
    expect((await author.delete(one(made.id)).expect(200)).body.modified_at).to.equal(
      trashed.body.modified_at,
    );
    for (const client of [author, editor, subscriber]) {
      expect((await client.get(one(made.id)).expect(404)).body.code).to.equal('attachment_not_found');
      expect(await ids('', client)).to.deep.equal([]);
    }
    expect(await ids('status=trash', author)).to.deep.equal([made.id]);
    expect(await ids('status=trash', editor)).to.deep.equal([made.id]);
    expect(await ids('status=trash', other)).to.deep.equal([]);
    expect(await ids('status=trash', subscriber)).to.deep.equal([]);
    const restored = await author.patch(one(made.id), { status: 'publish' }).expect(200);
    expect(restored.body.status).to.equal('publish');
    expect((await storedKeys(lyceum)).length).to.equal(1);
  });

  it('goes for good by force, with its file and what refers to it', async () => {
    const made = await upload({ title: 'Gone' });
    const post = await editor.post('svc/host/v1/posts', { title: 'x', featured_media: made.id }).expect(201);
    const answer = await author.delete(`${one(made.id)}?force=true`).expect(200);
    expect(answer.body).to.deep.equal({ deleted: true, id: made.id });
    expect(await storedKeys(lyceum)).to.deep.equal([]);
    expect(await rows(lyceum)).to.deep.equal({ posts: 0, attachments: 0 });
    expect((await editor.get(`svc/host/v1/posts/${post.body.id}`).expect(200)).body.featured_media).to.equal(
      0,
    );
    const audited = await lyceum.host.db.knex('audit_log').where('action', 'attachment.delete');
    expect(audited.length).to.equal(1);
    expect(audited[0]).to.deep.include({
      subject: `attachment:${made.id}`,
      user_id: users.author.id,
      blog_id: 1,
    });
    const again = await author.delete(`${one(made.id)}?force=true`).expect(404);
    expect(again.body.code).to.equal('attachment_not_found');
    const bad = await author.delete(`${one(made.id)}?force=yes`).expect(400);
    expect(bad.body.code).to.equal('rest_invalid_param');
  });

  it('goes once, however many delete it', async () => {
    const made = await upload();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => author.delete(`${one(made.id)}?force=true`)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404, 404]);
  });

  it('is gone even where its file cannot be removed', async () => {
    const made = await upload();
    const sites = path.join(lyceum.dataDir, 'files', 'sites');
    await rm(sites, { recursive: true });
    // Whoever follows it goes round in a circle.
    await symlink(sites, sites);
    await author.delete(`${one(made.id)}?force=true`).expect(200);
    expect(await rows(lyceum)).to.deep.equal({ posts: 0, attachments: 0 });
  });

  it('shows a private one to its author and to those who read private pages', async () => {
    const made = await upload();
    await author.patch(one(made.id), { status: 'private' }).expect(200);
    for (const client of [author, editor]) {
      await client.get(one(made.id)).expect(200);
      expect(await ids('', client)).to.deep.equal([made.id]);
      expect(await ids('status=private', client)).to.deep.equal([made.id]);
      expect(await ids('status=publish', client)).to.deep.equal([]);
    }
    for (const client of [other, subscriber]) {
      expect((await client.get(one(made.id)).expect(403)).body.code).to.equal('rest_forbidden');
      expect(await ids('', client)).to.deep.equal([]);
      const listed = await client.get(`${mediaRoute}?status=any`).expect(200);
      expect(listed.headers['x-svc-total']).to.equal('0');
    }
    await lyceum.anonymous.get(one(made.id)).expect(401);
    await lyceum.anonymous.get(mediaRoute).expect(401);
    await lyceum
      .as(await lyceum.make.user())
      .get(mediaRoute)
      .expect(403);
  });

  it('is changed by its author and by those who edit what others made', async () => {
    const made = await upload();
    for (const client of [other, subscriber, lyceum.as(users.contributor)]) {
      await client.patch(one(made.id), { title: 'x' }).expect(403);
      await client.delete(one(made.id)).expect(403);
      await client.delete(`${one(made.id)}?force=true`).expect(403);
    }
    await lyceum.anonymous.patch(one(made.id), { title: 'x' }).expect(401);
    await lyceum.anonymous.delete(one(made.id)).expect(401);
    await editor.patch(one(made.id), { title: 'by the editor' }).expect(200);
    // The plain editing methods reach the same operation.
    await author.put(one(made.id), { title: 'put' }).expect(200);
    await author.post(one(made.id), { title: 'post' }).expect(200);
    await editor.delete(`${one(made.id)}?force=true`).expect(200);
  });

  it('belongs to its site', async () => {
    const made = await upload();
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const there = lyceum.as(administrator, site);
    for (const request of [
      there.get(one(made.id)),
      there.patch(one(made.id), { title: 'x' }),
      there.delete(`${one(made.id)}?force=true`),
    ]) {
      const { status, body } = await request;
      expect([status, body.code]).to.deep.equal([404, 'attachment_not_found']);
    }
    expect(await ids('', there)).to.deep.equal([]);
    await there.get(`${mediaRoute}?blog_id=1`).expect(403);
    // His right on the other site is none here.
    await lyceum
      .as(administrator)
      .patch(`${one(made.id)}?blog_id=1`, { title: 'x' })
      .expect(403);
    expect(await rows(lyceum)).to.deep.equal({ posts: 1, attachments: 1 });
  });

  it('is no post of the posts routes', async () => {
    const made = await upload();
    const administrator = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    await administrator.get(`svc/host/v1/posts/${made.id}`).expect(404);
    await administrator.patch(`svc/host/v1/posts/${made.id}`, { title: 'x' }).expect(404);
    await administrator.delete(`svc/host/v1/posts/${made.id}?force=true`).expect(404);
  });
});
