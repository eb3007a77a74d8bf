import { expect } from 'chai';
import fc from 'fast-check';
import { numberedSiteSlug, ReservedSlugs, readSiteSlug } from '../../core/content/sites/site-slug.ts';

const reserved = new ReservedSlugs('api', () => new Map());

describe('slugs of sites', () => {
  it('are labels of a host name, read as themselves, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (typed) => {
        const { slug, fault } = readSiteSlug(typed, 63, reserved, []);
        expect(slug)
          .to.match(/^[a-z0-9-]*$/)
          .and.not.match(/^-|-$|--/);
        expect(fault === 'empty').to.equal(slug === '');
        expect(fault === 'too_long').to.equal(slug.length > 63);
        expect(readSiteSlug(slug, 63, reserved, [])).to.deep.equal({ slug, fault });
      }),
      { numRuns: 2_000 },
    );
  });

  it('stay labels when they are numbered', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
        fc.nat(1_000_000),
        (slug, number) => {
          const numbered = numberedSiteSlug(slug, number, 63);
          expect(numbered).to.match(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
          expect(numbered.endsWith(`-${number}`)).to.equal(true);
        },
      ),
    );
  });

  it('keep free what the host serves and what a network names, as people type it', () => {
    const further = ['Sales Dept', 'Отдел'];
    for (const typed of ['API', 'www', 'sales-dept', 'Sales Dept!', 'otdel']) {
      expect(readSiteSlug(typed, 63, reserved, further).fault, typed).to.equal('reserved');
    }
    expect(readSiteSlug('sales', 63, reserved, further).fault).to.equal(null);
    expect(readSiteSlug('sales-dept', 63, reserved, []).fault).to.equal(null);
  });
});
