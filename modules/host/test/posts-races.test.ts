import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

describe('host: posts written at once', () => {
  let lyceum: TestHost;
  let editor: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
  });
  after(() => lyceum.stop());

  const make = async (body: object) => (await editor.post(posts, { title: 'x', ...body }).expect(201)).body;
  const many = <T>(count: number, work: (index: number) => PromiseLike<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_none, index) => work(index)));
  const parentOf = async (id: number): Promise<number> => (await editor.get(`${posts}/${id}`)).body.parent_id;

  it('gives each of two namesakes a slug of its own', async () => {
    const answers = await many(2, () => editor.post(posts, { title: 'Привет' }).expect(201));
    expect(answers.map(({ body }) => body.slug).sort()).to.deep.equal(['privet', 'privet-2']);
  });

  it('gives twenty namesakes the numbers in a row', async () => {
    const answers = await many(20, () => editor.post(posts, { title: 'Twenty', type: 'page' }).expect(201));
    const numbers = answers.map(({ body }) => (body.slug === 'twenty' ? 1 : Number(body.slug.slice(7))));
    expect(numbers.sort((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 20 }, (_none, index) => index + 1),
    );
  });

  it('renames twenty posts to one slug, each with a number of its own', async () => {
    const made = await many(20, (index) => make({ title: `Rename ${index}`, type: 'modal' }));
    const answers = await many(20, (index) =>
      editor.patch(`${posts}/${made[index]?.id}`, { slug: 'renamed' }).expect(200),
    );
    expect(new Set(answers.map(({ body }) => body.slug)).size).to.equal(20);
    expect(answers.every(({ body }) => /^renamed(-\d+)?$/.test(body.slug))).to.equal(true);
  });

  it('lets exactly one of fifty writers with one base_hash through', async () => {
    const made = await make({ content: 'base' });
    const answers = await many(50, (index) =>
      editor.patch(`${posts}/${made.id}`, { base_hash: made.hash, content: `text ${index}` }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 409)).to.have.length(49);
    const winner = statuses.indexOf(200);
    expect((await editor.get(`${posts}/${made.id}`)).body.content).to.equal(`text ${winner}`);
  });

  it('loses no meta key of simultaneous changes', async () => {
    const made = await make({});
    await many(20, (index) =>
      editor.patch(`${posts}/${made.id}`, { meta: { [`k${index}`]: index } }).expect(200),
    );
    expect(Object.keys((await editor.get(`${posts}/${made.id}`)).body.meta)).to.have.length(20);
  });

  it('refuses a page that is its own ancestor', async () => {
    const [a, b] = [await make({ type: 'page' }), await make({ type: 'page' })];
    await editor.patch(`${posts}/${b.id}`, { parent_id: a.id }).expect(200);
    for (const [id, parent_id] of [
      [a.id, a.id],
      [a.id, b.id],
    ]) {
      const answer = await editor.patch(`${posts}/${id}`, { parent_id }).expect(400);
      expect(answer.body.data.params).to.have.property('parent_id');
    }
    await editor.patch(`${posts}/${b.id}`, { parent_id: 0 }).expect(200);
  });

  it('makes no circle of parents, however the changes meet', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b, c] = await many(3, () => make({ type: 'page', title: `Circle ${round}` }));
      const answers = await Promise.all([
        editor.patch(`${posts}/${a.id}`, { parent_id: b.id }),
        editor.patch(`${posts}/${b.id}`, { parent_id: c.id }),
        editor.patch(`${posts}/${c.id}`, { parent_id: a.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 400]);
      const parents = [await parentOf(a.id), await parentOf(b.id), await parentOf(c.id)];
      expect(parents.filter((parent) => parent === 0)).to.have.length(1);
    }
  });

  it('leaves no child without its parent when the parent goes meanwhile', async () => {
    for (let round = 0; round < 10; round += 1) {
      const parent = await make({ type: 'page', title: `Going ${round}` });
      const [child, gone] = await Promise.all([
        editor.post(posts, { type: 'page', title: 'Coming', parent_id: parent.id }),
        editor.delete(`${posts}/${parent.id}?force=true`),
      ]);
      expect(gone.status).to.equal(200);
      expect(child.status).to.be.oneOf([201, 400]);
      if (child.status === 201) expect(await parentOf(child.body.id)).to.equal(0);
    }
  });

  it('deletes once', async () => {
    const made = await make({});
    const answers = await many(5, () => editor.delete(`${posts}/${made.id}?force=true`));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404]);
    const rows = await lyceum.host.db.knex('audit_log').where({ subject: `post:${made.id}` });
    expect(rows).to.have.length(1);
  });
});
