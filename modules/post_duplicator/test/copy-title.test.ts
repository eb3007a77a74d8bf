import { expect } from 'chai';
import { copyTitle, titleBase, wantedTitle } from '../copy-title.ts';

describe('post_duplicator: titles of copies', () => {
  it('begin with that of the source, without what an earlier copy added', () => {
    for (const [title, base] of [
      ['Intro', 'Intro'],
      ['Intro (copy)', 'Intro'],
      ['Intro (copy 2)', 'Intro'],
      ['Intro (copy 123456789)', 'Intro'],
      ['Intro (copy) (copy 2)', 'Intro (copy)'],
      ['Intro(copy)', 'Intro(copy)'],
      ['Intro (copy 2) more', 'Intro (copy 2) more'],
      ['Intro (copy x)', 'Intro (copy x)'],
      ['Intro (copy  2)', 'Intro (copy  2)'],
      ['Intro (Copy)', 'Intro (Copy)'],
      ['(copy)', ''],
      ['', ''],
    ]) {
      expect(titleBase(title as string, '(copy)'), title).to.equal(base);
    }
    expect(titleBase('A $1.* [x] 3', '$1.* [x]')).to.equal('A');
    expect(titleBase('A B', '')).to.equal('A B');
  });

  it('end with the suffix, and from the second on with a number in it', () => {
    expect([1, 2, 10].map((number) => copyTitle('Intro', '(copy)', number))).to.deep.equal([
      ...['Intro (copy)', 'Intro (copy 2)', 'Intro (copy 10)'],
    ]);
    expect([1, 2].map((number) => copyTitle('Intro', 'Kopie', number))).to.deep.equal([
      ...['Intro Kopie', 'Intro Kopie 2'],
    ]);
    expect([1, 2].map((number) => copyTitle('', '(copy)', number))).to.deep.equal(['(copy)', '(copy 2)']);
    expect([1, 2, 3].map((number) => wantedTitle('Mine', number))).to.deep.equal([
      'Mine',
      'Mine 2',
      'Mine 3',
    ]);
  });

  it('have at most 500 characters, and no half ones', () => {
    const long = 'x'.repeat(500);
    expect(copyTitle(long, '(copy)', 1)).to.equal(`${'x'.repeat(493)} (copy)`);
    expect(copyTitle(long, '(copy)', 2)).to.equal(`${'x'.repeat(491)} (copy 2)`);
    expect(wantedTitle(long, 12)).to.equal(`${'x'.repeat(497)} 12`);
    expect(copyTitle(`${'x'.repeat(492)}🎓yyyyyy`, '(copy)', 1)).to.equal(`${'x'.repeat(492)} (copy)`);
    expect(titleBase(copyTitle(long, '(copy)', 2), '(copy)')).to.equal('x'.repeat(491));
  });

  it('are read in a time that does not grow faster than they do', () => {
    const started = performance.now();
    titleBase(`${' (copy 1'.repeat(100_000)}`, '(copy)');
    expect(performance.now() - started).to.be.below(1_000);
  });
});
