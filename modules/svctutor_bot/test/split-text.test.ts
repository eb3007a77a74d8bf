import { expect } from 'chai';
import fc from 'fast-check';
import { splitText } from '../sending/split-text.ts';

describe('svctutor_bot: long texts in parts', () => {
  it('are cut at the ends of lines, else at spaces, else anywhere', () => {
    expect(splitText('short', 10)).to.deep.equal(['short']);
    expect(splitText('one two\nthree four', 10)).to.deep.equal(['one two', 'three four']);
    expect(splitText('one two three', 7)).to.deep.equal(['one two', 'three']);
    expect(splitText('abcdefghij', 4)).to.deep.equal(['abcd', 'efgh', 'ij']);
    expect(splitText('', 4)).to.deep.equal([]);
  });

  it('tear no character', () => {
    expect(splitText('abc😀def', 4)).to.deep.equal(['abc', '😀de', 'f']);
  });

  it('lose nothing but white space, and fit', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'ж'), maxLength: 80 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, most) => {
        const parts = splitText(text, most);
        expect(parts.join('').replaceAll(/\s/g, '')).to.equal(text.replaceAll(/\s/g, ''));
        for (const part of parts) {
          expect(part.length).to.be.within(1, most);
          expect(part.isWellFormed()).to.equal(true);
        }
      }),
    );
  });
});
