import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

interface Shown {
  readonly id: number;
  readonly title: string;
  readonly permalink: string;
}

describe('host: lists of posts', () => {
  let lyceum: TestHost;
  let editor: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
  });
  after(() => lyceum.stop());

  const make = async (body: object): Promise<Shown & { slug: string }> =>
    (await editor.post(posts, body).expect(201)).body;
  const ids = async (query: string): Promise<number[]> =>
    (await editor.get(`${posts}?${query}`).expect(200)).body.map((post: Shown) => post.id);
  const queriesOf = async (work: () => Promise<unknown>): Promise<number> => {
    let count = 0;
    const add = () => {
      count += 1;
    };
    lyceum.host.db.knex.on('query', add);
    await work();
    lyceum.host.db.knex.removeListener('query', add);
    return count;
  };

  it('leaves content and meta out unless they are asked for', async () => {
    const { id } = await make({ title: 'Long', content: 'c', meta: { a: 1 }, status: 'publish' });
    const [plain] = (await editor.get(`${posts}?ids=${id}`).expect(200)).body;
    expect(plain).not.to.have.any.keys('content', 'meta');
    expect(plain).to.include.keys('hash', 'terms', 'excerpt', 'permalink', 'edit_url');
    const [whole] = (await editor.get(`${posts}?ids=${id}&include=content,meta`).expect(200)).body;
    expect(whole).to.include({ content: 'c' });
    expect(whole.meta).to.deep.equal({ a: 1 });
    const [content] = (await editor.get(`${posts}?ids=${id}&include=content`).expect(200)).body;
    expect(content).to.have.property('content');
    expect(content).not.to.have.property('meta');
  });

  it('filters', async () => {
    const { body: term } = await editor
      .post('svc/host/v1/terms', { taxonomy: 'tag', name: 'Filter' })
      .expect(201);
    const parent = await make({ type: 'page', title: 'Filter parent', status: 'publish' });
    const child = await make({ type: 'page', title: 'Filter child', status: 'draft', parent_id: parent.id });
    const tagged = await make({
      title: 'Filter tag',
      status: 'publish',
      lang: 'ru',
      terms: { tag: [term.id] },
    });
    expect(await ids(`type=page&slug=${parent.slug}`)).to.deep.equal([parent.id]);
    expect(await ids(`type=page&status=any&parent_id=${parent.id}`)).to.deep.equal([child.id]);
    expect(await ids('type=page&parent_id=0&slug=filter-parent')).to.deep.equal([parent.id]);
    expect(await ids(`term_id=${term.id}`)).to.deep.equal([tagged.id]);
    expect(await ids('lang=ru')).to.deep.equal([tagged.id]);
    expect(await ids(`ids=${tagged.id},${parent.id},999999`)).to.deep.equal([tagged.id]);
    expect(await ids(`type=page&ids=${child.id}`), 'publish by default').to.deep.equal([]);
    expect(await ids(`type=page&ids=${child.id}&status=pending,draft`)).to.deep.equal([child.id]);
    const author = await lyceum.make.user({ role: 'author' });
    const own = await lyceum.as(author).post(posts, { title: 'By author', status: 'publish' }).expect(201);
    expect(await ids(`author_id=${author.id}`)).to.deep.equal([own.body.id]);
    await editor.delete(`${posts}/${child.id}`).expect(200);
    expect(await ids(`type=page&ids=${child.id}&status=any`), 'any is all but trash').to.deep.equal([]);
    expect(await ids(`type=page&ids=${child.id}&status=any,trash`)).to.deep.equal([child.id]);
    expect(await ids(`type=page&ids=${child.id}&status=trash`)).to.deep.equal([child.id]);
  });

  it('sorts in a total order, so that pages neither overlap nor leave gaps', async () => {
    const made: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      const body = { type: 'modal', title: `Order ${index % 3}`, menu_order: index % 4, status: 'publish' };
      made.push((await make(body)).id);
    }
    for (const orderby of ['created_at', 'modified_at', 'title', 'menu_order', 'id']) {
      for (const order of ['asc', 'desc']) {
        const query = `type=modal&orderby=${orderby}&order=${order}`;
        const paged = [];
        for (const page of [1, 2, 3]) paged.push(...(await ids(`${query}&per_page=5&page=${page}`)));
        expect(paged, query).to.deep.equal(await ids(`${query}&per_page=100`));
        expect([...paged].sort((a, b) => a - b)).to.deep.equal(made);
      }
    }
    const answer = await editor.get(`${posts}?type=modal&per_page=5&page=2`).expect(200);
    expect(answer.headers['x-svc-total']).to.equal('12');
    expect(answer.headers['x-svc-totalpages']).to.equal('3');
    expect(answer.headers.link)
      .to.match(/page=3>; rel="next"/)
      .and.match(/page=1>; rel="prev"/);
    expect((await editor.get(`${posts}?type=modal&page=9`).expect(200)).body).to.deep.equal([]);
  });

  it('refuses what it does not know, SQL in particular', async () => {
    for (const query of [
      'page=1001',
      'page=0',
      'per_page=101',
      'orderby=title;drop table posts',
      'orderby=content',
      'order=up',
      'status=nonsense',
      'status=publish,nonsense',
      'type=attachment',
      "type=post'--",
      'type=course',
      'parent_id=x',
      'ids=1,x',
      `ids=${Array.from({ length: 101 }, (_none, index) => index + 1).join(',')}`,
      'include=private_meta',
      'author_id=0',
      `search=${'x'.repeat(201)}`,
    ]) {
      const answer = await editor.get(`${posts}?${encodeURI(query)}`).expect(400);
      expect(answer.body.code, query).to.equal('rest_invalid_param');
      const [name] = Object.keys(answer.body.data.params);
      expect(name?.replace(/\[\d+\]$/, '')).to.equal(query.split('=')[0]);
    }
    expect(await ids('slug=%27%20or%201=1')).to.deep.equal([]);
  });

  it('shows the path of a page in its address', async () => {
    const top = await make({ type: 'page', title: 'Top', status: 'publish' });
    const middle = await make({ type: 'page', title: 'Middle', parent_id: top.id, status: 'publish' });
    const leaf = await make({ type: 'page', title: 'Leaf', parent_id: middle.id, status: 'publish' });
    expect(leaf.permalink).to.match(/\/top\/middle\/leaf\/$/);
    const listed = (await editor.get(`${posts}?type=page&ids=${top.id},${leaf.id}&orderby=id`))
      .body as Shown[];
    expect(listed.map(({ permalink }) => new URL(permalink).pathname)).to.deep.equal([
      '/top/middle/leaf/',
      '/top/',
    ]);
  });

  it('costs the same number of queries for one post and for many', async () => {
    const { body: term } = await editor
      .post('svc/host/v1/terms', { taxonomy: 'tag', name: 'Many' })
      .expect(201);
    const top = await make({ type: 'page', title: 'Many', status: 'publish' });
    for (let index = 0; index < 30; index += 1) {
      const terms = { tag: [term.id] };
      await make({ type: 'page', title: `Many ${index}`, parent_id: top.id, status: 'publish', terms });
    }
    const list = (perPage: number) => () =>
      editor
        .get(`${posts}?type=page&parent_id=${top.id}&per_page=${perPage}&include=content,meta`)
        .expect(200);
    const one = await queriesOf(list(1));
    expect(await queriesOf(list(30))).to.equal(one);
    expect(one).to.be.at.most(4);
  });
});
