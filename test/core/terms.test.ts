import { expect } from 'chai';
import type { Knex } from 'knex';
import { isCoded } from '../../core/api/errors.ts';
import { PostTypes } from '../../core/content/post-types.ts';
import { Posts } from '../../core/content/posts.ts';
import { Taxonomies } from '../../core/content/taxonomies.ts';
import { TermLists } from '../../core/content/term-lists.ts';
import { Terms } from '../../core/content/terms.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

const actor = { site: { blog_id: 1, network_id: 1 }, user: null, ip: null, requestId: null };

describe('terms of networks', () => {
  let lyceum: TestHost;
  let terms: Terms;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    terms = lyceum.host.services.host(Terms);
  });
  after(() => lyceum.stop());

  const within = <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
    lyceum.host.db.transaction(work);
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      if (isCoded(error)) return error.code;
      throw error;
    }
    throw new Error('It was not refused.');
  };

  it('follow the rules of a site’s terms, apart from those of other networks', async () => {
    const other = { network_id: (await lyceum.make.network()).network_id };
    const own = { network_id: 1 };
    const make = (owner: { network_id: number }, name: string) =>
      within((trx) => terms.create(trx, owner, 'site_status', { name }));
    const made = await make(own, 'Live');
    expect(made).to.include({ blog_id: null, network_id: 1, slug: 'live', order: 0, parent: 0 });
    expect(await refusal(make(own, 'LIVE'))).to.equal('term_exists');
    expect((await make(other, 'Live')).network_id).to.equal(other.network_id);
    expect(await terms.find(other, made.id)).to.equal(null);
    expect(await terms.find({ blog_id: 1 }, made.id)).to.equal(null);
    const change = (taxonomy: string) =>
      within((trx) => terms.update(trx, own, [taxonomy], made.id, { name: 'Open' }));
    expect(await refusal(change('site_category'))).to.equal('term_not_found');
    expect((await change('site_status')).name).to.equal('Open');
    expect(
      await refusal(within((trx) => terms.remove(trx, other, ['site_status'], made.id, actor))),
    ).to.equal('term_not_found');
    await within((trx) => terms.remove(trx, own, ['site_status'], made.id, actor));
    expect(await terms.find(own, made.id)).to.equal(null);
  });

  it('are sorted and found by the name of a language', async () => {
    const owner = { network_id: 1 };
    const names = [
      ['Beta', 'Альфа'],
      ['alpha', 'Бета'],
      ['Gamma', null],
    ] as const;
    for (const [name, ru] of names) {
      const given = { name, names: ru ? { ru } : {} };
      await within((trx) => terms.create(trx, owner, 'site_status', given));
    }
    const list = async (lang?: string, search?: string, fallback = 'none'): Promise<string[]> => {
      const langs = lang === undefined ? [] : [lang, fallback];
      const filter = { by: 'name', langs, search, limit: 10, offset: 0 } as const;
      return (await terms.list(owner, 'site_status', filter)).items.map(({ name }) => name);
    };
    expect(await list()).to.deep.equal(['alpha', 'Beta', 'Gamma']);
    expect(await list('ru')).to.deep.equal(['Gamma', 'Beta', 'alpha']);
    expect(await list('ru', 'БЕТ')).to.deep.equal(['alpha']);
    expect(await list('de', 'et')).to.deep.equal(['Beta']);
    expect(await list('de', 'бет', 'ru'), 'in the next language').to.deep.equal(['alpha']);
  });
});

describe('whole taxonomies', () => {
  let lyceum: TestHost;
  let lists: TermLists;
  let terms: Terms;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    lists = lyceum.host.services.host(TermLists);
    terms = lyceum.host.services.host(Terms);
  });
  after(() => lyceum.stop());

  const owner = { blog_id: 1 };
  const taxonomy = 'course_section';
  const within = <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
    lyceum.host.db.transaction(work);
  const ids = async () => (await lists.all(owner, taxonomy)).map(({ id }) => id);

  it('are sorted as a whole, and read by that order', async () => {
    const make = (name: string) => within((trx) => terms.create(trx, owner, taxonomy, { name }));
    const [a, b, c] = [(await make('A')).id, (await make('B')).id, (await make('C')).id];
    expect(await ids()).to.deep.equal([a, b, c]);
    await within(async (trx) => {
      expect((await lists.lock(trx, owner, taxonomy)).map(({ id }) => id)).to.deep.equal([a, b, c]);
      await lists.sort(trx, [c, a, b]);
    });
    expect((await lists.all(owner, taxonomy)).map(({ id, order }) => [id, order])).to.deep.equal([
      [c, 1],
      [a, 2],
      [b, 3],
    ]);
    const held = await within((trx) => lists.hold(trx, owner, taxonomy, [b, 999_999, c]));
    expect(held.map(({ id }) => id)).to.deep.equal([c, b]);
    expect(await within((trx) => lists.hold(trx, owner, 'category', [b]))).to.deep.equal([]);
    expect(await lists.all({ blog_id: 2 }, taxonomy)).to.deep.equal([]);
  });
});

describe('posts as a service', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  it('gives a post its status back when it leaves the trash', async () => {
    const posts = lyceum.host.services.host(Posts);
    await lyceum.host.db.transaction(async (trx) => {
      const given = { type: 'page', title: 'x', status: 'private', author_id: 1, lang: 'en' } as const;
      const made = await posts.create(trx, actor, given);
      const trashed = await posts.trash(trx, actor, made);
      expect(trashed).to.include({ status: 'trash', trashed_status: 'private' });
      const back = await posts.restore(trx, actor, trashed);
      expect(back).to.include({ status: 'private', trashed_status: null });
      expect(await posts.restore(trx, actor, back)).to.equal(back);
    });
  });

  it('knows the types and taxonomies of modules, on or off', async () => {
    const types = lyceum.host.services.host(PostTypes);
    const taxonomies = lyceum.host.services.host(Taxonomies);
    const [allOn, allOff] = [{ isOn: () => true }, { isOn: () => false }];
    expect(types.get('page')).to.include({ module: 'host', capabilities: 'page', hierarchical: true });
    expect(types.usable('page', allOff)).to.equal(null);
    expect(types.all(allOn).map(({ id }) => id)).to.deep.equal(['post', 'page', 'modal']);
    expect(types.all(allOff)).to.deep.equal([]);
    expect(types.get('attachment')).to.equal(null);
    expect(taxonomies.ids('network', allOn)).to.deep.equal(['site_category', 'site_status']);
    expect(taxonomies.usable('category', 'network', allOn)).to.equal(null);
    expect(taxonomies.usable('category', 'site', allOff)).to.equal(null);
  });
});
