import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

describe('host: the trash', () => {
  let lyceum: TestHost;
  let editor: Client;
  let editorId: number;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    const user = await lyceum.make.user({ role: 'editor' });
    editor = lyceum.as(user);
    editorId = user.id;
  });
  after(() => lyceum.stop());

  const make = async (body: object) => (await editor.post(posts, { title: 'x', ...body }).expect(201)).body;

  it('takes a post in and gives it back', async () => {
    const made = await make({ title: 'Bin', status: 'publish', content: 'text' });
    const { body: trashed } = await editor.delete(`${posts}/${made.id}`).expect(200);
    expect(trashed).to.deep.equal({ ...made, status: 'trash', modified_at: trashed.modified_at });
    const again = await editor.delete(`${posts}/${made.id}`).expect(200);
    expect(again.body).to.deep.equal(trashed);
    expect((await editor.get(`${posts}/${made.id}`).expect(200)).body.status).to.equal('trash');
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    await author.get(`${posts}/${made.id}`).expect(404);
    const { body: edited } = await editor.patch(`${posts}/${made.id}`, { title: 'Still in' }).expect(200);
    expect(edited.status).to.equal('trash');
    const { body: back } = await editor.patch(`${posts}/${made.id}`, { status: 'draft' }).expect(200);
    expect(back).to.include({ status: 'draft', title: 'Still in', slug: 'bin' });
    const row = await lyceum.host.db
      .knex('posts')
      .where({ id: made.id })
      .first('trashed_at', 'trashed_status');
    expect(row).to.deep.equal({ trashed_at: null, trashed_status: null });
  });

  it('notes when and from which status', async () => {
    const made = await make({ status: 'pending' });
    await editor.delete(`${posts}/${made.id}`).expect(200);
    const row = await lyceum.host.db
      .knex('posts')
      .where({ id: made.id })
      .first('trashed_at', 'trashed_status');
    expect(row.trashed_status).to.equal('pending');
    expect(Date.now() - Date.parse(row.trashed_at)).to.be.below(60_000);
  });

  it('deletes for good with force: children move up, terms are freed, an audit row stays', async () => {
    const { body: term } = await editor
      .post('svc/host/v1/terms', { taxonomy: 'tag', name: 'Freed' })
      .expect(201);
    const top = await make({ type: 'page', title: 'Top' });
    const middle = await make({
      type: 'page',
      title: 'Middle',
      parent_id: top.id,
      terms: { tag: [term.id] },
    });
    const child = await make({ type: 'page', title: 'Child', parent_id: middle.id });
    const answer = await editor.delete(`${posts}/${middle.id}?force=true`).expect(200);
    expect(answer.body).to.deep.equal({ deleted: true, id: middle.id });
    await editor.get(`${posts}/${middle.id}`).expect(404);
    await editor.delete(`${posts}/${middle.id}?force=true`).expect(404);
    expect((await editor.get(`${posts}/${child.id}`)).body.parent_id).to.equal(top.id);
    expect(await lyceum.host.db.knex('post_terms').where({ post_id: middle.id })).to.deep.equal([]);
    const rows = await lyceum.host.db.knex('audit_log').where({ subject: `post:${middle.id}` });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ module: 'host', action: 'post.delete', user_id: editorId, blog_id: 1 });
    expect(rows[0].from).to.deep.equal({ type: 'page', title: 'Middle', slug: 'middle', status: 'draft' });
  });

  it('has no word for it but DELETE', async () => {
    const made = await make({});
    await editor.patch(`${posts}/${made.id}`, { status: 'trash' }).expect(400);
    await editor.delete(`${posts}/${made.id}?force=maybe`).expect(400);
    expect((await editor.get(`${posts}/${made.id}`)).body.status).to.equal('draft');
  });

  it('keeps records in the trash from being parents', async () => {
    const parent = await make({ type: 'page', title: 'Parent' });
    await editor.delete(`${posts}/${parent.id}`).expect(200);
    await editor.post(posts, { type: 'page', title: 'Child', parent_id: parent.id }).expect(400);
  });
});
