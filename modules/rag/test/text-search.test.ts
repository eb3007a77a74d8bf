import { expect } from 'chai';
import { type StoreKit, startStoreKit } from './store-kit.ts';

describe('rag: search by words', () => {
  let kit: StoreKit;

  before(async () => {
    kit = await startStoreKit();
  });
  after(() => kit.lyceum.stop());

  const titles = async (query: string, blogId = 1): Promise<string[]> =>
    (await kit.retrieval.retrieve(blogId, query, 5)).map(({ title }) => title);

  it('finds chunks by any word of the question, in every form of it, with where they come from', async () => {
    const text = {
      heading_path: ['Hours', 'Summer'],
      content: 'The library opens at nine. Bring your card.',
    };
    const { id, chunks } = await kit.publish({ title: 'Library', texts: [text] });
    const [found] = await kit.retrieval.retrieve(1, 'When do libraries open?', 5);
    expect(found).to.deep.include({
      id_chunk: chunks[0],
      id_post: id,
      title: 'Library',
      heading_path: ['Hours', 'Summer'],
      content: 'The library opens at nine. Bring your card.',
    });
    expect(found?.url).to.match(/^http:\/\/localhost:\d+\/[0-9a-f]{32}\/$/);
    expect(found?.score).to.be.closeTo(1 / 61, 1e-9);
  });

  it('reads each text in its own language, ё as е', async () => {
    await kit.publish({ title: 'Ежи', texts: ['Ёжики зимуют под корнями деревьев.'], lang: 'ru-RU' });
    await kit.publish({ title: 'Häuser', texts: ['Die Häuser der Stadt sind alt.'], lang: 'de' });
    expect(await titles('где зимует ежик')).to.deep.equal(['Ежи']);
    expect(await titles('altes Haus')).to.deep.equal(['Häuser']);
  });

  it('lets one rare word outweigh common ones', async () => {
    for (let page = 0; page < 8; page += 1) {
      await kit.publish({
        title: `Course ${page}`,
        texts: ['Our course begins in spring and our course is free.'],
      });
    }
    await kit.publish({ title: 'Pottery', texts: ['Pottery needs a kiln. Ask for the course plan.'] });
    expect((await titles('Is our course on pottery free?'))[0]).to.equal('Pottery');
  });

  it('finds nothing of posts that are not published, of other sites, and where the module is off', async () => {
    const { id } = await kit.publish({ title: 'Zebra', texts: ['Zebras have stripes.'] });
    const other = await kit.lyceum.make.site();
    await kit.publish({ title: 'Zebra two', texts: ['Zebras have stripes.'], blogId: other.blog_id });
    expect(await titles('zebra')).to.deep.equal(['Zebra']);
    expect(await titles('zebra', other.blog_id)).to.deep.equal(['Zebra two']);
    await kit.admin.patch(`svc/host/v1/posts/${id}`, { status: 'draft' }).expect(200);
    expect(await titles('zebra')).to.deep.equal([]);
    await kit.admin.put('svc/modules/v1/modules/rag', { enabled: false }).expect(200);
    expect(await titles('library')).to.deep.equal([]);
    expect(await kit.retrieval.countActive(1)).to.equal(0);
    await kit.admin.put('svc/modules/v1/modules/rag', { enabled: true }).expect(200);
    expect(await titles('library')).to.have.lengthOf(1);
  });

  it('looks only into the posts that are named, and gives no more than is asked for', async () => {
    const one = await kit.publish({ title: 'Quartz one', texts: ['Quartz is hard.'] });
    await kit.publish({ title: 'Quartz two', texts: ['Quartz is hard, quartz is clear.'] });
    const named = await kit.retrieval.retrieve(1, 'quartz', 5, { postIds: [one.id] });
    expect(named.map(({ id_post }) => id_post)).to.deep.equal([one.id]);
    expect(await kit.retrieval.retrieve(1, 'quartz', 1)).to.have.lengthOf(1);
  });

  it('takes any text for a question', async () => {
    for (const query of [
      "it's \\ ' & | ! :*",
      '   ',
      '()',
      "zebra' | 'library",
      'x'.repeat(10_000),
      'Ω≈ç√ 🦓',
    ]) {
      expect(await kit.retrieval.retrieve(1, query, 5)).to.be.an('array');
    }
    expect(
      await kit.retrieval.retrieve(1, Array.from({ length: 3_000 }, (_, n) => `word${n}`).join(' '), 5),
    ).to.deep.equal([]);
  });
});
