import { expect } from 'chai';
import fc from 'fast-check';
import { markersIn } from '../answer/marker-pieces.ts';
import { SpokenAnswer } from '../answer/spoken-answer.ts';

/** The answer, and what was said of it on the way. */
function speak(sources: number, pieces: readonly string[]): { answer: string; said: string[] } {
  const said: string[] = [];
  const spoken = new SpokenAnswer(sources, (text) => said.push(text));
  for (const piece of pieces) spoken.push(piece);
  return { answer: spoken.end(), said };
}

const answer = (sources: number, ...pieces: string[]): string => speak(sources, pieces).answer;

/** Texts that are full of what markers are made of. */
const hostile = fc
  .array(
    fc.constantFrom('[', ']', '1', '2', '7', '0', ' ', '\n', '\t', 'Nine', '[1]', '[7]', '😀', '\u{1F}'),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));

/** The text in pieces, which may end in the middle of a character. */
const cut = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.nat({ max: text.length }), { maxLength: 6 }).map((places) => {
    const ends = [...places.sort((a, b) => a - b), text.length];
    return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
  });

describe('ai: markers in an answer', () => {
  it('stay where they have a source, and go with the space before them where they have none', () => {
    expect(answer(1, 'Nine [1] [7]')).to.equal('Nine [1]');
    expect(answer(2, 'Nine [7] books[8]. See [2][3].')).to.equal('Nine books. See [2].');
    expect(answer(3, '[9] Nine [0] [01] [3]')).to.equal('Nine [3]');
    expect(answer(0, 'Nine [1]')).to.equal('Nine');
    expect(answer(1, 'One\n[7]\n[1] two [7]\n')).to.equal('One\n\n[1] two');
  });

  it('are no brackets with anything else in them', () => {
    const text = 'a[0, 1] [x] [] [ 7 ] [7a] [7';
    expect(answer(1, text)).to.equal(text);
  });

  it('do not come about where one that had no source was', () => {
    for (const text of ['[[7]9]', '[9[7]', '[[7][7]9]', '[[[7]8]9]', '[1 [7]2]']) {
      const numbers = [...markersIn(answer(1, text))];
      expect(
        numbers.filter((number) => number !== 1),
        text,
      ).to.deep.equal([]);
    }
  });

  it('are found across the borders of pieces, and nothing but an open one is held back', () => {
    expect(speak(1, ['Nine', ' ', '[', '7', ']', ' at', ' once']).said).to.deep.equal([
      'Nine',
      ' at',
      ' once',
    ]);
    expect(speak(1, ['Nine [1', '] and', ' [', 'x']).said).to.deep.equal(['Nine', ' [1] and', ' [x']);
    expect(speak(1, ['a[b', 'c', '7', '8']).said).to.deep.equal(['a[b', 'c', '7', '8']);
  });

  it('leave the same text however it is cut, which is what was said', () => {
    fc.assert(
      fc.property(
        hostile.chain((text) => fc.tuple(fc.constant(text), cut(text))),
        fc.nat({ max: 2 }),
        ([text, pieces], sources) => {
          const { answer: whole, said } = speak(sources, pieces);
          expect(said.join('')).to.equal(whole);
          expect(whole).to.equal(answer(sources, text));
          expect(whole).to.equal(whole.trim());
          for (const number of markersIn(whole)) expect(number).to.be.within(1, sources);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('cost what the text is long, whatever it consists of', () => {
    for (const part of ['[', ' ', '[7', '[7]', '7', '\n[', ']']) {
      const began = performance.now();
      answer(1, part.repeat(300_000));
      expect(performance.now() - began, part).to.be.below(2_000);
    }
  });

  it('come without control characters and halves of characters', () => {
    expect(answer(1, 'a\u0000b\u001b[1]\r\n\tc\ud83d')).to.equal('ab[1]\n\tc\ufffd');
    expect(speak(1, ['x\ud83d', '\ude00y']).said).to.deep.equal(['x', '😀y']);
  });
});
