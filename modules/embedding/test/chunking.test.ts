import { expect } from 'chai';
import fc from 'fast-check';
import { packUnits } from '../chunking/pack-units.ts';
import { readSections } from '../chunking/read-units.ts';
import { sentencesOf } from '../chunking/sentences.ts';
import { splitUnit } from '../chunking/split-unit.ts';
import { countTokens } from '../chunking/tokens.ts';

const units = (html: string): readonly string[] => readSections(html).flatMap((section) => section.units);

describe('embedding: texts are cut', () => {
  it('into sections by their headings', () => {
    expect(readSections('<h1>A</h1><p>x</p><h2>B</h2><p>y</p>')).to.deep.equal([
      { heading_path: ['A'], units: ['x'] },
      { heading_path: ['A', 'B'], units: ['y'] },
    ]);
    const paths = readSections('p<h2>A</h2>a<h3>B</h3>b<h2>C</h2>c<h1>D</h1>d<h4> </h4>e').map(
      ({ heading_path }) => heading_path.join('/'),
    );
    expect(paths).to.deep.equal(['', 'A', 'A/B', 'C', 'D']);
  });

  it('into units by blocks, rows and bare text', () => {
    const html = `Bare <b>text</b>
      <div>in a <i>division</i><p>One.</p>after</div>
      <ul><li>First<ul><li>Nested</li></ul></li><li><p>Second</p></li></ul>
      <table><tr><th>Day</th><th>Hour</th></tr><tr><td>Mon<br>day</td><td><p>9</p><p>10</p></td></tr><tr><td></td></tr></table>
      <blockquote><p>Quoted</p></blockquote><dl><dt>Term</dt><dd>Meaning</dd></dl>
      <figure><img alt="x"><figcaption>Caption</figcaption></figure>
      <pre>
  keep
    this  </pre>`;
    expect(units(html)).to.deep.equal([
      ...['Bare text', 'in a division', 'One.', 'after', 'First', 'Nested', 'Second', 'Day | Hour'],
      ...['Mon day | 9 10', 'Quoted', 'Term', 'Meaning', 'Caption', '  keep\n    this'],
    ]);
  });

  it('without what no reader sees', () => {
    const html = `<!-- wp:paragraph {"secret":1} --><p>Seen &amp; read\u00ad</p><script>let token = "x";</script>
      <style>p{}</style><noscript>no</noscript><template><p>hidden</p></template><nav>Menu<p>Item</p></nav>
      <svg><title>t</title></svg><input type="hidden" value="token"><textarea>typed</textarea>`;
    expect(units(html)).to.deep.equal(['Seen & read']);
  });

  it('as a browser reads markup that is broken', () => {
    expect(units('<p>one<p>two <b>three</p>four</b><ul><li>five</ul></div>six<a href="x')).to.deep.equal([
      'one',
      'two three',
      'four',
      'five',
      'six',
    ]);
    expect(units('a < b && c > d <')).to.deep.equal(['a < b && c > d <']);
  });

  it('in a time that grows with their length, whatever is in them', () => {
    const length = 1_000_000;
    const hostile = [
      '<div>'.repeat(length / 5),
      '<p><b><i>'.repeat(length / 9),
      `<p ${'a'.repeat(10)} `.repeat(length / 14),
      `<p${Array.from({ length: 100_000 }, (_, n) => ` a${n}`).join('')}>x`,
      '<table><tr><td>'.repeat(length / 15),
      '<a><a><p>'.repeat(length / 9),
      '.'.repeat(length),
      '<svg><a>'.repeat(length / 8),
      '&amp'.repeat(length / 4),
      '<select><option>'.repeat(length / 16),
      '<template><p>'.repeat(length / 13),
    ];
    for (const html of hostile) {
      const before = performance.now();
      for (const section of readSections(html)) packUnits(section.units, { most: 400, overlap: 40 });
      expect(performance.now() - before, html.slice(0, 20)).to.be.below(8_000);
    }
  }).timeout(90_000);

  it('into sentences that together are the text', () => {
    expect(sentencesOf('One. Two?! "Three." Four… 3.14 is no end.\nFive')).to.deep.equal([
      ...['One. ', 'Two?! ', '"Three." ', 'Four… ', '3.14 is no end.\n', 'Five'],
    ]);
    fc.assert(fc.property(fc.string(), (text) => sentencesOf(text).join('') === text));
  });

  it('into pieces that are never too long, and lose no letter', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'é', 'Ж', '🦓', ' ', '.', '\n'), maxLength: 3_000 });
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = splitUnit(text.trim(), 64);
        expect(pieces.every((piece) => countTokens(piece) <= 64)).to.equal(true);
        expect(pieces.join('').replaceAll(/\s/g, '')).to.equal(text.replaceAll(/\s/g, ''));
      }),
    );
  });

  it('into chunks of one section, filled in order, each with the end of the one before', () => {
    const sentence = (n: number): string => `Sentence number ${n} says so.`;
    const paragraphs = Array.from({ length: 12 }, (_, n) => `${sentence(2 * n)} ${sentence(2 * n + 1)}`);
    const chunks = packUnits(paragraphs, { most: 64, overlap: 10 });
    expect(chunks.length).to.be.above(2);
    for (const chunk of chunks) expect(countTokens(chunk)).to.be.at.most(64);
    expect(chunks[1]?.split('\n\n')[0]).to.equal(chunks[0]?.split('. ').at(-1));
    const apart = packUnits(paragraphs, { most: 64, overlap: 0 });
    expect(apart.join('\n\n')).to.equal(paragraphs.join('\n\n'));
  });

  it('into chunks within their size, whatever the units are', () => {
    const unit = fc.string({ unit: fc.constantFrom('a', 'Ж', ' ', '. '), minLength: 1, maxLength: 1_500 });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 10 }), fc.integer({ min: 0, max: 16 }), (texts, overlap) => {
        const given = texts.map((text) => text.trim()).filter((text) => text !== '');
        for (const chunk of packUnits(given, { most: 64, overlap }))
          expect(countTokens(chunk)).to.be.at.most(64);
      }),
    );
  });
});
