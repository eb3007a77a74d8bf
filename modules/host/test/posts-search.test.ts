import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

describe('host: searching posts', () => {
  let lyceum: TestHost;
  let editor: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
  });
  after(() => lyceum.stop());

  const make = async (body: object): Promise<number> =>
    (await editor.post(posts, { status: 'publish', ...body }).expect(201)).body.id;
  const found = async (search: string): Promise<number[]> => {
    const answer = await editor.get(`${posts}?per_page=100&search=${encodeURIComponent(search)}`).expect(200);
    return answer.body.map((post: { id: number }) => post.id);
  };

  it('finds all words in any place, the last one by its beginning', async () => {
    const id = await make({
      title: 'Пожарная Безопасность',
      content: '<!-- wp:p {"hidden":"attribute"} --><p class="lead">Where the <b>exits</b> are</p>',
      excerpt: 'Short summary',
    });
    expect(await found('безопасность')).to.deep.equal([id]);
    expect(await found('БЕЗОП')).to.deep.equal([id]);
    expect(await found('summary пожарная exi')).to.deep.equal([id]);
    expect(await found('exi where'), 'only the last word may be a beginning').to.deep.equal([]);
    expect(await found('exits nowhere')).to.deep.equal([]);
    for (const markup of ['lead', 'class', 'attribute'])
      expect(await found(markup), markup).to.deep.equal([]);
  });

  it('follows every change', async () => {
    const id = await make({ title: 'Kangaroo', content: 'wallaby' });
    await editor.patch(`${posts}/${id}`, { content: 'koala' }).expect(200);
    expect(await found('wallaby')).to.deep.equal([]);
    expect(await found('koala')).to.deep.equal([id]);
    await editor.patch(`${posts}/${id}`, { title: 'Platypus' }).expect(200);
    expect(await found('kangaroo')).to.deep.equal([]);
    expect(await found('platypus koal')).to.deep.equal([id]);
    await editor
      .patch(`${posts}/${id}`, { meta: { editor: 'turbo', turbo_html: '<p>wombat</p>' } })
      .expect(200);
    expect(await found('wombat')).to.deep.equal([id]);
    expect(await found('koala')).to.deep.equal([]);
  });

  it('reads quotes and operators as what they are: no words', async () => {
    const id = await make({ title: `It's "quoted" text & more: C-1, a|b` });
    for (const search of [
      `it's`,
      `"quoted"`,
      'quoted & text',
      'text | more',
      '!more',
      'C-1',
      "quoted'",
      'a|b',
      'more:*',
      'text <-> more',
      '\\text\\',
    ]) {
      expect(await found(search), search).to.deep.equal([id]);
    }
    for (const search of ["'", '&', '\\', ':*', '()', '<->', '!', '%', "' & '"]) {
      expect(await found(search), search).to.deep.equal([]);
    }
    expect(await found(' ')).to.include(id);
  });

  it('never fails, whatever is asked', async () => {
    const hostile = '\'"\\:*&|!()<>-%_ aб1\u00a0\u0301😀';
    for (let seed = 1; seed <= 60; seed += 1) {
      let text = '';
      for (let at = 0; at < 12; at += 1)
        text += [...hostile][(seed * 31 + at * at * 17) % [...hostile].length];
      await found(text);
    }
  });

  it('takes texts of every script up to the limits of the index', async () => {
    // Many different words of few characters of many bytes make the largest vectors.
    const letters = (from: number, count: number) =>
      Array.from({ length: count }, (_none, index) => String.fromCodePoint(from + index));
    const pairs = (script: readonly string[], many: number) =>
      Array.from(
        { length: many },
        (_none, index) =>
          `${script[index % script.length]}${script[Math.floor(index / script.length) % script.length]}`,
      );
    const cases = {
      cyrillic: pairs(letters(0x430, 32), 1024).flatMap((a) =>
        pairs(letters(0x430, 32), 70).map((b) => a + b),
      ),
      han: pairs(letters(0x4e00, 300), 66_000),
      'han beyond 16 bits': pairs(letters(0x20000, 300), 66_000),
      hyphenated: [pairs(letters(0x4e00, 300), 66_000).join('-')],
      'one word': ['ы'.repeat(2_000_000)],
    };
    for (const [name, words] of Object.entries(cases)) {
      const answer = await editor.post(posts, { title: name, content: words.join(' '), status: 'publish' });
      expect(answer.status, name).to.equal(201);
    }
    expect((await found('一一')).length).to.be.at.least(2);
  });
});
