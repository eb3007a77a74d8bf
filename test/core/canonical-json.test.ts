import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { canonicalHash, canonicalJson } from '../../core/content/canonical-json.ts';

describe('the canonical text of JSON', () => {
  it('is that of the example in RFC 8785', () => {
    const given = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const text = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonicalJson(JSON.parse(given))).to.equal(text);
  });

  it('sorts keys by their UTF-16, at every level', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const given = { a: [Object.fromEntries(keys.map((key) => [key, 0]))] };
    expect(canonicalJson(given)).to.equal(
      `{"a":[{${sorted.map((key) => `${JSON.stringify(key)}:0`).join(',')}}]}`,
    );
  });

  it('is hashed as UTF-8', () => {
    expect(canonicalHash({})).to.equal('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(canonicalHash({ b: 'ö', a: -0 })).to.equal(
      createHash('sha256').update('{"a":0,"b":"ö"}', 'utf8').digest('hex'),
    );
  });

  it('is none of what is no JSON', () => {
    expect(() => canonicalJson(undefined)).to.throw('no JSON value');
    expect(() => canonicalJson({ a: Number.NaN })).to.throw();
  });
});
