import { expect } from 'chai';
import { isCoded } from '../../core/api/errors.ts';
import { nestedOf } from '../../core/http/bracketed.ts';

const read = (query: string): unknown => nestedOf(new URLSearchParams(query));

describe('bracketed names', () => {
  it('stand for lists and objects', () => {
    expect(read('a=1&b[c]=2&d[1][e]=4&d[0][e]=3&f[]=5&g[h][0]=6&i=%5B&j%5Bk%5D=7')).to.deep.equal({
      ...{ a: '1', b: { c: '2' }, d: [{ e: '3' }, { e: '4' }] },
      ...{ f: { '': '5' }, g: { h: ['6'] }, i: '[', j: { k: '7' } },
    });
  });

  it('that are none stand for themselves', () => {
    expect(read('a[=1&b]c=2&[d]=3&e[f]g=4&=5')).to.deep.equal({
      'a[': '1',
      'b]c': '2',
      '[d]': '3',
      'e[f]g': '4',
      '': '5',
    });
  });

  it('touch no prototype', () => {
    const nested = read('__proto__[polluted]=1&a[__proto__][polluted]=1&a[constructor]=2') as Record<
      string,
      object
    >;
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
    expect(Object.getPrototypeOf(nested)).to.equal(Object.prototype);
    expect(Object.getPrototypeOf(nested.a)).to.equal(Object.prototype);
  });

  it('are refused when they are too many, too deep, two things at once, or counted with gaps', () => {
    const wrong = [
      ...['a=1&a=2', 'a=1&a[b]=2', 'a[b]=1&a=2', 'a[0]=1&a[2]=2', 'a[100]=1', 'a[999999][b]=1'],
      `a${'[b]'.repeat(7)}=1`,
      Array.from({ length: 1_001 }, (_, n) => `a${n}=1`).join('&'),
    ];
    for (const query of wrong) {
      expect(() => read(query), query.slice(0, 30))
        .to.throw()
        .and.satisfy((error: unknown) => isCoded(error, 'rest_invalid_param'));
    }
  });
});
