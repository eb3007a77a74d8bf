import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { readGrant, signGrant } from '../../core/files/grants.ts';

const key = randomBytes(32);
const uint32 = fc.nat(0xffffffff);
const grants = fc.record({ attachmentId: uint32, expires: uint32, epoch: uint32 });
const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

describe('grants', () => {
  it('come back as they were signed, in 38 characters of a path', () => {
    const property = fc.property(grants, (grant) => {
      const text = signGrant(grant, key);
      expect(text).to.match(/^[A-Za-z0-9_-]{38}$/);
      expect(readGrant(text, key)).to.deep.equal(grant);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('are nothing with any one character changed', () => {
    const text = signGrant({ attachmentId: 7, expires: 1_900_000_000, epoch: 0 }, key);
    for (let at = 0; at < text.length; at += 1) {
      for (const letter of [...alphabet, '+', '/', '=', ' ', '.', '%']) {
        if (letter === text[at]) continue;
        expect(readGrant(text.slice(0, at) + letter + text.slice(at + 1), key)).to.equal(null);
      }
    }
  });

  it('are nothing with another length, alphabet or key', () => {
    const property = fc.property(grants, fc.string({ minLength: 1, maxLength: 5 }), (grant, more) => {
      const text = signGrant(grant, key);
      expect(readGrant(text + more, key)).to.equal(null);
      expect(readGrant(more + text, key)).to.equal(null);
      expect(readGrant(text.slice(0, -more.length), key)).to.equal(null);
      expect(readGrant(text, randomBytes(32))).to.equal(null);
    });
    fc.assert(property, { numRuns: 300 });
    for (const text of ['', 'a', 'ä'.repeat(38), 'A'.repeat(38), 'A'.repeat(100_000)]) {
      expect(readGrant(text, key)).to.equal(null);
    }
  });

  it('are nothing as any other text', () => {
    const property = fc.property(fc.string(), (text) => readGrant(text, key) === null);
    fc.assert(property);
  });

  it('are not signed for numbers that would be cut', () => {
    for (const attachmentId of [-1, 2 ** 32, Number.NaN, 1.5]) {
      expect(() => signGrant({ attachmentId, expires: 1, epoch: 0 }, key), `${attachmentId}`).to.throw(
        RangeError,
      );
    }
  });
});
