import { expect } from 'chai';
import { longestSearchText, searchQuestion, searchText } from '../../core/content/search-text.ts';

const text = (content: string, more: Partial<Parameters<typeof searchText>[0]> = {}): string =>
  searchText({ title: '', more: [], excerpt: '', content, ...more });

describe('search text', () => {
  it('has the words of all fields, without markup', () => {
    expect(
      text('<!-- wp:p {"a":"b"} --><p class="x">Hello&nbsp;World&#33; a < b</p><script>no()</script>', {
        title: 'Привет, Мир!',
        more: ['C-1'],
        excerpt: '<b>Short</b>',
      }),
    ).to.equal('привет мир c 1 short hello world a b');
  });

  it('treats composed and decomposed letters alike', () => {
    expect(text('Cafe\u0301')).to.equal(text('CAFÉ'));
    expect(searchQuestion('cafe\u0301')).to.equal(searchQuestion('Café'));
  });

  it('ends at its limit, with a whole word', () => {
    const long = text('слово '.repeat(100_000));
    expect(long.length).to.be.within(longestSearchText - 6, longestSearchText);
    expect(long.endsWith('слово')).to.equal(true);
    expect(text('x'.repeat(5_000_000))).to.equal('x'.repeat(100));
    expect(searchQuestion('x'.repeat(200))).to.equal(`'${'x'.repeat(100)}':*`);
  });

  it('asks for all words, the last one as a beginning', () => {
    expect(searchQuestion(`it's "quoted" \\ & | ! При`)).to.equal(`'it' & 's' & 'quoted' & 'при':*`);
    expect(searchQuestion("' & :* \\")).to.equal(null);
    expect(searchQuestion('')).to.equal(null);
  });

  it('takes no longer for hostile texts', () => {
    for (const seed of ['<', '<a', '&', '&a', '<!--', 'a ', '\u0301', 'ﷺ', '<title>']) {
      const started = performance.now();
      text(seed.repeat(Math.ceil(5_000_000 / seed.length)));
      expect(performance.now() - started, seed).to.be.below(1_500);
    }
  });
});
