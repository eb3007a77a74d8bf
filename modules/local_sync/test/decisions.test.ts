import { expect } from 'chai';
import { isPath } from '../manifest/check-path.ts';
import { familyOf } from '../manifest/family.ts';
import { decidePage, type PageFacts } from '../plan/decide-page.ts';

const noted = { source_hash: 'a', document_hash: 'A', fields_hash: 'f', editor: 'block' };
const facts = (more: Partial<PageFacts>, sent: Partial<PageFacts['sent']> = {}): PageFacts => ({
  noted,
  currentHash: 'A',
  sent: { hash: 'a', fieldsHash: 'f', editor: 'block', slugAsked: true, documentHash: 'A', ...sent },
  holder: null,
  fileChanged: false,
  parentMoved: false,
  overwrite: false,
  ...more,
});
const decided = (more: Partial<PageFacts>, sent: Partial<PageFacts['sent']> = {}): string => {
  const { action, reason, writes, adopts } = decidePage(facts(more, sent));
  return [action, reason ?? '', writes, adopts ?? ''].join(' ').trim();
};
const outside = { id: 7, outside: true };
const inside = { id: 7, outside: false };

describe('local_sync: what is decided of a page', () => {
  it('that the site does not have', () => {
    expect(decided({ noted: null, currentHash: null })).to.equal('create  both');
    expect(decided({ currentHash: null })).to.equal('create missing_on_site both');
    for (const known of [null, noted]) {
      const gone = { noted: known, currentHash: null };
      expect(decided({ ...gone, holder: outside })).to.equal('conflict slug_taken nothing');
      expect(decided({ ...gone, holder: outside, overwrite: true })).to.equal('update slug_taken both 7');
      expect(decided({ ...gone, holder: inside, overwrite: true })).to.equal('conflict slug_taken nothing');
      expect(decided({ ...gone, holder: inside }, { slugAsked: false })).to.match(/^create/);
      expect(decided({ ...gone, holder: outside }, { slugAsked: false })).to.equal(
        'conflict slug_taken nothing',
      );
    }
  });

  it('that nobody changed, or only its fields or files', () => {
    expect(decided({})).to.equal('unchanged  nothing');
    expect(decided({ holder: outside, overwrite: true })).to.equal('unchanged  nothing');
    expect(decided({}, { fieldsHash: 'g' })).to.equal('update fields fields');
    expect(decided({ parentMoved: true })).to.equal('update fields fields');
    expect(decided({ fileChanged: true })).to.equal('update file document');
    expect(decided({ fileChanged: true }, { fieldsHash: 'g' })).to.equal('update fields both');
    expect(decided({ holder: outside }, { fieldsHash: 'g' })).to.equal('conflict slug_taken nothing');
    expect(decided({ holder: outside }, { fieldsHash: 'g', slugAsked: false })).to.equal(
      'update fields fields',
    );
  });

  it('that one side changed', () => {
    expect(decided({}, { hash: 'b' })).to.equal('update content document');
    expect(decided({}, { editor: 'turbo' })).to.equal('update content document');
    expect(decided({ fileChanged: true }, { hash: 'b', fieldsHash: 'g' })).to.equal('update content both');
    for (const more of [{}, { fileChanged: true }, { overwrite: true }, { parentMoved: true }]) {
      expect(decided({ currentHash: 'B', ...more })).to.equal('unchanged changed_on_site nothing');
    }
  });

  it('that both sides changed', () => {
    const both = { currentHash: 'B' };
    expect(decided(both, { hash: 'b', documentHash: 'B' })).to.equal('unchanged same_content note');
    expect(decided(both, { hash: 'b' })).to.equal('conflict both_changed nothing');
    expect(decided(both, { hash: 'b', documentHash: null })).to.equal('conflict both_changed nothing');
    expect(decided({ ...both, overwrite: true }, { hash: 'b' })).to.equal('update overwrite both');
  });
});

describe('local_sync: families of pages', () => {
  const family = (...pairs: [string, string | null][]) => {
    const { ordered, inCycles } = familyOf(pairs.map(([key, parent]) => ({ key, parent })));
    return [ordered.map(({ key }) => key).join(''), [...inCycles].sort().join('')];
  };

  it('have parents before their children', () => {
    expect(family(['c', 'b'], ['b', 'a'], ['a', null], ['d', 'x'])).to.deep.equal(['abcd', '']);
    expect(family()).to.deep.equal(['', '']);
  });

  it('show whoever lies below himself, and nobody else', () => {
    expect(family(['a', 'a'])[1]).to.equal('a');
    expect(family(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a'], ['y', 'x'])).to.deep.equal([
      'cbaxy',
      'abc',
    ]);
    expect(family(['__proto__', 'constructor'], ['constructor', '__proto__'])[1]).to.equal(
      '__proto__constructor',
    );
  });
});

describe('local_sync: paths', () => {
  it('stay below the folder of their project', () => {
    for (const path of [
      'a',
      'a/b.png',
      '.hidden',
      'a/.b',
      'я/ö ü.png',
      'x'.repeat(255),
      '__proto__',
      'a..b',
      './a',
    ]) {
      expect(isPath(path), path).to.equal(true);
    }
    const bad = [
      '',
      '/a',
      'a/',
      'a//b',
      '..',
      '../a',
      'a/../b',
      'a\\b',
      'a\0',
      'a\n',
      '\u0085',
      'x'.repeat(256),
    ];
    for (const path of [...bad, 'я'.repeat(128), '\ud800']) expect(isPath(path), path).to.equal(false);
  });
});
