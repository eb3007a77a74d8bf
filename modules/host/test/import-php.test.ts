import { cpuMs } from '@lyceum/core/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { unserialize } from '../import/php-unserialize.ts';

/** What PHP's `serialize` makes of a JSON value. */
function serialize(value: unknown): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${value};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((member, index) => [index, member])
    : Object.entries(value as object);
  const members = entries.map(([key, member]) => serialize(key) + serialize(member)).join('');
  return `a:${entries.length}:{${members}}`;
}

describe('host import: values that PHP serialized', () => {
  it('become JSON', () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['N;', null],
      ['b:1;', true],
      ['b:0;', false],
      ['i:-7;', -7],
      ['d:0.5;', 0.5],
      ['d:1.0E+25;', 1e25],
      ['s:0:"";', ''],
      ['s:13:"¯\\_(ツ)_/¯";', '¯\\_(ツ)_/¯'],
      ['s:5:"a";b"";', 'a";b"'],
      ['a:0:{}', []],
      ['a:2:{i:0;s:1:"x";i:1;i:2;}', ['x', 2]],
      ['a:2:{i:1;s:1:"x";i:2;i:2;}', { 1: 'x', 2: 2 }],
      ['a:1:{s:3:"key";a:2:{s:3:"foo";b:1;s:3:"bar";s:3:"\\o/";}}', { key: { foo: true, bar: '\\o/' } }],
      [' a:1:{s:1:"a";i:1;} ', { a: 1 }],
      ['i:9007199254740993;', '9007199254740993'],
    ];
    for (const [text, value] of cases) expect(unserialize(text), text).to.deep.equal(value);
  });

  it('of a class stay text, also inside of others', () => {
    for (const text of ['O:8:"stdClass":1:{s:1:"a";i:1;}', 'C:5:"Thing":3:{abc}', 'E:11:"Suit:Hearts";']) {
      expect(unserialize(text), text).to.equal(undefined);
    }
    expect(unserialize('a:2:{s:1:"o";O:8:"stdClass":1:{s:1:"a";i:1;}s:1:"n";i:2;}')).to.deep.equal({
      o: 'O:8:"stdClass":1:{s:1:"a";i:1;}',
      n: 2,
    });
  });

  it('that are broken, refer to others or have no form in JSON are no such values', () => {
    for (const text of [
      '',
      'text',
      '1',
      'i:1',
      'i:x;',
      'b:2;',
      's:3:"ab";',
      's:1:"ツ";',
      's:99999999999:"a";',
      'a:1:{i:0;i:1;',
      'a:2:{i:0;i:1;}',
      'a:1:{a:0:{}i:1;}',
      'a:1:{i:0;i:1;}x',
      'a:2:{i:0;s:1:"x";i:1;R:2;}',
      'd:INF;',
      'd:NAN;',
      'a:1:{s:9:"__proto__";i:1;}',
      `${'a:1:{i:0;'.repeat(100)}i:1;${'}'.repeat(100)}`,
    ]) {
      expect(unserialize(text), text.slice(0, 40)).to.equal(undefined);
    }
  });

  it('are the values that they were made of', () => {
    const value = fc
      .jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
      .filter((one) => !JSON.stringify(one).includes('__proto__'));
    fc.assert(
      fc.property(value, (made) => {
        const given: unknown = JSON.parse(JSON.stringify(made));
        const text = serialize(given);
        // Objects whose keys count from 0 are lists in PHP, empty ones too.
        if (/a:\d+:\{(?:i|s:\d+:"\d+")|a:0/.test(text)) return;
        expect(unserialize(text)).to.deep.equal(given);
      }),
    );
  });

  it('are read in time that grows with the text, whatever they claim', () => {
    const hostile = [
      'a:99999999:{'.repeat(400_000),
      's:9:"'.repeat(800_000),
      `a:500000:{${'i:1;i:1;'.repeat(500_000)}}`,
      `s:4000000:"${'"'.repeat(4_000_000)}";`,
      `${'O:1:"a":1:{i:1;'.repeat(50)}s:3000000:"${'x'.repeat(3_000_000)}";${'}'.repeat(50)}`,
      'b:'.repeat(2_000_000),
    ];
    for (const text of hostile) {
      expect(
        cpuMs(() => unserialize(`${text};`)),
        text.slice(0, 20),
      ).to.be.below(2_000);
    }
  });
});
