import { expect } from 'chai';
import fc from 'fast-check';
import { readDomain, readPath, segmentsOf } from '../network-address.ts';

const domainForm = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/;
const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('a', 'Z', '7', '.', '-', '_', '/', ' ', ':', 'http', 'ä', '%', '@'),
    maxLength: 80,
  }),
);

describe('multi_network: addresses as people type them', () => {
  it('become a domain that is read as itself, or none', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const domain = readDomain(text);
        if (domain === null || domain === '') return;
        expect(domain).to.match(domainForm);
        expect(domain.length).to.be.at.most(253);
        expect(readDomain(domain)).to.equal(domain);
      }),
      { numRuns: 2_000 },
    );
  });

  it('become a path that is read as itself, or none', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const path = readPath(text);
        if (path === null) return;
        expect(path).to.match(/^\/([a-z0-9-]{1,63}\/){0,3}$/);
        expect(readPath(path)).to.equal(path);
        expect(
          segmentsOf(path)
            .map((part) => `${part}/`)
            .join(''),
        ).to.equal(path.slice(1));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused unread when they are far too long', () => {
    const started = performance.now();
    for (const unit of ['a', ' ', 'a.', 'ä', '/', 'http://']) {
      const long = unit.repeat(100_000);
      expect(readDomain(long)).to.equal(null);
      expect(readPath(`/${long}`)).to.equal(null);
    }
    expect(performance.now() - started).to.be.below(200);
  });
});
