import path from 'node:path';
import { expect } from 'chai';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';

const posts = 'svc/host/v1/posts';

interface Heard {
  readonly kind: string;
  readonly post_id: number | null;
  readonly user_id: number | null;
  readonly more: unknown;
}

describe('notices to modules', () => {
  let lyceum: TestHost;
  let editor: Client;
  let editorId: number;
  before(async () => {
    lyceum = await startTestHost({
      modules: ['test_listening'],
      folders: [path.join(import.meta.dirname, 'packages')],
    });
    const user = await lyceum.make.user({ role: 'editor' });
    editor = lyceum.as(user);
    editorId = user.id;
  });
  beforeEach(() => lyceum.host.db.knex('test_heard').delete());
  after(() => lyceum.stop());

  const heard = (): Promise<Heard[]> =>
    lyceum.host.db.knex('test_heard').orderBy('id').select('kind', 'post_id', 'user_id', 'more');

  it('tell of each step in the life of a post, in its transaction', async () => {
    const { body } = await editor.post(posts, { title: 'First' }).expect(201);
    await editor.patch(`${posts}/${body.id}`, { title: 'Second' }).expect(200);
    await editor.patch(`${posts}/${body.id}`, { title: 'Second' }).expect(200);
    await editor.delete(`${posts}/${body.id}`).expect(200);
    await editor.patch(`${posts}/${body.id}`, { status: 'pending' }).expect(200);
    await editor.delete(`${posts}/${body.id}?force=true`).expect(200);
    const by = { post_id: body.id, user_id: editorId };
    expect(await heard()).to.deep.equal([
      { kind: 'writing', ...by, more: { before: null, after: 'First' } },
      { kind: 'writing', ...by, more: { before: 'First', after: 'Second' } },
      { kind: 'trashed', ...by, more: null },
      { kind: 'heard', post_id: null, user_id: editorId, more: { postId: body.id } },
      { kind: 'writing', ...by, more: { before: 'Second', after: 'Second' } },
      { kind: 'restored', ...by, more: 'pending' },
      { kind: 'deleted', ...by, more: { left: 0 } },
    ]);
  });

  it('let a listener refuse a write, which then leaves nothing behind', async () => {
    const refused = await editor.post(posts, { title: 'forbidden' }).expect(409);
    expect(refused.body).to.deep.equal({
      code: 'test_title_forbidden',
      message: 'Nobody may call it that.',
      data: { title: 'forbidden', status: 409 },
    });
    const { body } = await editor.post(posts, { title: 'allowed' }).expect(201);
    await editor.patch(`${posts}/${body.id}`, { title: 'forbidden', content: 'x' }).expect(409);
    expect((await editor.get(`${posts}/${body.id}`)).body).to.deep.equal(body);
    expect((await heard()).map(({ kind, more }) => [kind, more])).to.deep.equal([
      ['writing', { before: null, after: 'allowed' }],
    ]);
  });

  it('give listeners the settings of their module on the site of the write', async () => {
    const admin = lyceum.as(await lyceum.make.admin());
    const site = await lyceum.make.site();
    await admin
      .patch(`svc/modules/v1/modules/test_listening/settings?blog_id=${site.blog_id}`, {
        settings: { forbidden_title: 'elsewhere' },
      })
      .expect(200);
    await admin.post(`${posts}?blog_id=${site.blog_id}`, { title: 'forbidden' }).expect(201);
    await admin.post(`${posts}?blog_id=${site.blog_id}`, { title: 'elsewhere' }).expect(409);
    await admin.post(posts, { title: 'elsewhere' }).expect(201);
  });

  it('tell of a deleted term', async () => {
    const { body } = await editor.post('svc/host/v1/terms', { taxonomy: 'tag', name: 'Gone' }).expect(201);
    await editor.delete(`svc/host/v1/terms/${body.id}`).expect(200);
    expect(await heard()).to.deep.equal([{ kind: 'term', post_id: null, user_id: editorId, more: body.id }]);
  });
});
