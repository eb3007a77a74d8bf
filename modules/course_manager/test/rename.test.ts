import { expect } from 'chai';
import { api, refusal, type SectionHost, startWithSections, terms } from './lyceum.ts';

describe('course_manager: names of sections', () => {
  let host: SectionHost;
  let id: number;
  beforeEach(async () => {
    host = await startWithSections();
    id = await host.section('Old', { icon: 'book', order: 4 });
  });
  afterEach(() => host.lyceum.stop());

  const patch = (body: object, query = '') => host.editor.patch(`${api}/sections/${id}${query}`, body);
  const term = async () => {
    const { body } = await host.editor.get(`${terms}?taxonomy=course_section`).expect(200);
    return body.find((one: { id: number }) => one.id === id);
  };

  it('are written by every method that writes, and nothing else is', async () => {
    const before = await term();
    const { body } = await patch({ name: 'New', slug: 'x', order: 1, icon: 'y', courseId: 1 }).expect(200);
    expect(body).to.deep.equal({
      id,
      name: 'New',
      slug: 'old',
      count: 0,
      order: 4,
      icon: 'book',
      courseId: null,
    });
    expect(await term()).to.deep.equal({ ...before, name: 'New' });
    await host.editor.put(`${api}/sections/${id}`, { name: 'Put' }).expect(200);
    await host.editor.post(`${api}/sections/${id}`, { name: 'Post' }).expect(200);
    await patch({ name: 'Post' }).expect(200);
    const rows = await host.audited('rename');
    expect(rows.map(({ subject, from, to }) => ({ subject, from, to }))).to.deep.equal(
      [
        ['Old', 'New'],
        ['New', 'Put'],
        ['Put', 'Post'],
      ].map(([from, to]) => ({
        subject: `section:${id}`,
        from: { lang: 'en', name: from },
        to: { lang: 'en', name: to },
      })),
    );
  });

  it('are plain text in one line', async () => {
    const { body } = await patch({ name: '  A\u0007 \t\r\n  B\u0085\u200a C  \u0001 ' }).expect(200);
    expect(body.name).to.equal('A B C');
    const markup = '<img src=x onerror=alert(1)>';
    expect((await patch({ name: markup }).expect(200)).body.name).to.equal(markup);
    expect((await host.sections())[0]?.name).to.equal(markup);
  });

  it('are refused when they are empty, too long or no text', async () => {
    for (const name of ['', '   ', '\n\t', '\u0001\u0002']) {
      expect(await refusal(patch({ name })), JSON.stringify(name)).to.equal('400 svcsf_empty_name');
    }
    for (const name of ['x'.repeat(201), 1, null, ['x'], { a: 1 }, 'a\0b', '\ud800']) {
      const { body } = await patch({ name }).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(body.data.params).to.have.property('name');
    }
    const missing = await patch({}).expect(400);
    expect([missing.body.code, missing.body.data.params]).to.deep.equal([
      'rest_missing_callback_param',
      ['name'],
    ]);
    await patch({ name: `${' '.repeat(300)}${'x'.repeat(200)}` }).expect(200);
    await host.editor.patch(`${api}/sections/${await host.section('Other')}`, { name: 'x'.repeat(200) });
    expect(new Set((await host.sections()).map(({ name }) => name)).size, 'two of one name').to.equal(1);
  });

  it('are those of sections of the site', async () => {
    const category = (await host.editor.post(terms, { taxonomy: 'category', name: 'Category' }).expect(201))
      .body.id;
    const foreign = await host.section('There', {}, host.there);
    const named = (at: number | string) => host.editor.patch(`${api}/sections/${at}`, { name: 'x' });
    expect(await refusal(named(category))).to.equal('400 svcsf_bad_taxonomy');
    for (const at of [999_999, foreign, 0, -1, 99_999_999_999]) {
      expect(await refusal(named(at)), String(at)).to.equal('404 svcsf_not_found');
    }
    for (const at of ['x', '1.5', '9'.repeat(20)]) {
      expect(await refusal(named(at)), at).to.equal('400 rest_invalid_param');
    }
    expect(await host.audited('rename')).to.deep.equal([]);
  });

  it('are for editors of the site', async () => {
    const route = `${api}/sections/${id}`;
    expect(await refusal(host.lyceum.anonymous.patch(route, { name: 'x' }))).to.equal('401 rest_forbidden');
    expect(await refusal(host.author.patch(route, { name: 'x' }))).to.equal('403 rest_forbidden');
    expect(await refusal(host.there.patch(route, { name: 'x' }))).to.equal('404 svcsf_not_found');
    expect((await term()).name).to.equal('Old');
  });

  it('are written in the current language, and others keep theirs', async () => {
    await host.lyceum.make.settings('host', { languages: ['en', 'ru'] });
    const shown = async (query: string) => (await host.sections(query))[0]?.name;
    expect((await patch({ name: 'Введение' }, '?lang=ru').expect(200)).body.name).to.equal('Введение');
    expect([await shown('?lang=ru'), await shown('?lang=en')]).to.deep.equal(['Введение', 'Old']);
    expect((await term()).name).to.equal('Old');
    await patch({ name: 'Intro' }).expect(200);
    expect(await term()).to.deep.include({ name: 'Intro', names: { en: 'Intro', ru: 'Введение' } });
    expect(await refusal(patch({ name: 'x' }, '?lang=de'))).to.equal('400 rest_invalid_param');
    const rows = await host.audited('rename');
    expect(rows[0]).to.deep.include({
      from: { lang: 'ru', name: 'Old' },
      to: { lang: 'ru', name: 'Введение' },
    });
    await host.lyceum.make.settings('host', { languages: ['en'] });
    expect((await patch({ name: 'One' }, '?lang=ru').expect(200)).body.name).to.equal('One');
    expect(await term()).to.deep.include({ name: 'One', names: { en: 'One', ru: 'Введение' } });
  });

  it('in different languages do not undo each other when they are written at once', async () => {
    const languages = ['en', 'ru', 'fr', 'de', 'es', 'it'];
    await host.lyceum.make.settings('host', { languages });
    await Promise.all(languages.map((lang) => patch({ name: `Name ${lang}` }, `?lang=${lang}`).expect(200)));
    expect((await term()).names).to.deep.equal(
      Object.fromEntries(languages.map((lang) => [lang, `Name ${lang}`])),
    );
  });
});
