import { expect } from 'chai';
import { chooseSentences } from '../builtin/choose-sentences.ts';
import { sentencesOf } from '../builtin/sentences.ts';

const set = (...words: string[]): ReadonlySet<string> => new Set(words);

describe('ai: sentences', () => {
  it('end at a mark before white space and at the end of a line, and nowhere else', () => {
    expect(sentencesOf('At 9:00. Really?! Yes… 1.5 m is e.g. ok.\nNext line\r\n\n Last one ')).to.deep.equal([
      'At 9:00.',
      'Really?!',
      'Yes…',
      '1.5 m is e.g.',
      'ok.',
      'Next line',
      'Last one',
    ]);
    expect(sentencesOf('')).to.deep.equal([]);
    expect(sentencesOf('. ! ?')).to.deep.equal(['.', '!', '?']);
  });

  it('are split in the time that the text is long', () => {
    for (const part of ['. ', ' ', '.', '\n', 'a b ']) {
      const began = performance.now();
      sentencesOf(part.repeat(200_000));
      expect(performance.now() - began, part).to.be.below(2_000);
    }
  });

  it('weigh a word the more, the fewer chunks have it', () => {
    const chunks = [
      { content: set('card', 'library'), titles: set() },
      { content: set('library'), titles: set() },
      { content: set('library'), titles: set() },
    ];
    const candidates = [
      { chunk: 0, text: 'library', words: set('library') },
      { chunk: 0, text: 'card', words: set('card') },
      { chunk: 1, text: 'library too', words: set('library') },
      { chunk: 2, text: 'nothing', words: set() },
    ];
    // ln(1 + 3/1) is exactly twice ln(1 + 3/3): half of the best is enough.
    const chosen = chooseSentences(set('card', 'library'), chunks, candidates).map(({ text }) => text);
    expect(chosen).to.deep.equal(['card', 'library too']);
  });

  it('are none where the best has less than a third of the words, titles included', () => {
    const question = set('a', 'b', 'c', 'd');
    const candidates = [{ chunk: 0, text: 'one', words: set('a') }];
    expect(chooseSentences(question, [{ content: set('a'), titles: set() }], candidates)).to.deep.equal([]);
    const titled = [{ content: set('a'), titles: set('b') }];
    expect(chooseSentences(question, titled, candidates)).to.have.length(1);
    expect(chooseSentences(set(), titled, candidates)).to.deep.equal([]);
    expect(chooseSentences(question, titled, [])).to.deep.equal([]);
  });
});
