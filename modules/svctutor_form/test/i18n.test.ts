import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { FormKit } from './form-kit.ts';

const locale = 'svctutor-forms/i18n/v1/locale';
const translation = 'svctutor-forms/i18n/v1/translation';

describe('svctutor_form: locales and translations', () => {
  let kit: FormKit;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-test-words-'));
    await cp(path.join(import.meta.dirname, 'packages'), folder, { recursive: true });
    await writeFile(path.join(folder, 'more_words/translations/svctutor-form-it.json'), '{broken');
    kit = await FormKit.start({ folders: [folder], modules: ['svctutor_form', 'more_words'] });
    await kit.lyceum.make.settings('host', { languages: ['en', 'de'] });
  });
  after(async () => {
    await kit.lyceum.stop();
    await rm(folder, { recursive: true });
  });

  const ask = (route: string, accepted?: string) => {
    const request = kit.lyceum.anonymous.get(route);
    return accepted === undefined ? request : request.set('Accept-Language', accepted);
  };
  const localeFor = async (query: string, accepted?: string) =>
    (await ask(`${locale}${query}`, accepted).expect(200)).body;

  describe('a locale', () => {
    it('has names, patterns and signs of CLDR', async () => {
      const { body, headers } = await ask(`${locale}?locale=nl`).expect(200);
      expect(body).to.deep.include({
        locale: 'nl',
        domain: 'nl',
        direction: 'ltr',
        countryCode: '',
        country: '',
        countryNative: '',
        language: 'Dutch',
        languageNative: 'Nederlands',
      });
      const { months, days, time } = body.translations;
      expect(months.formatted.wide[2]).to.equal('maart');
      expect(months.formatted.wide).to.have.length(12);
      expect(months.nominative.abbreviated[2]).to.equal('mrt');
      expect(days.formatted.wide).to.deep.equal([
        'zondag',
        'maandag',
        'dinsdag',
        'woensdag',
        'donderdag',
        'vrijdag',
        'zaterdag',
      ]);
      expect(days.nominative.abbreviated[1]).to.equal('ma');
      expect(time).to.deep.equal({ AM: 'a.m.', PM: 'p.m.' });
      expect(body.formats).to.deep.equal({
        date: { full: 'EEEE d MMMM y', long: 'd MMMM y', medium: 'd MMM y', short: 'dd-MM-y' },
        time: { full: 'HH:mm:ss zzzz', long: 'HH:mm:ss z', medium: 'HH:mm:ss', short: 'HH:mm' },
        dateTime: { full: "{1} 'om' {0}", long: "{1} 'om' {0}", medium: '{1}, {0}', short: '{1}, {0}' },
        numbers: { decimals: ',', grouping: '.', minus: '-' },
      });
      expect(headers).to.include({
        'content-language': 'nl',
        vary: 'Origin, Accept-Language',
        'cache-control': 'public, max-age=3600',
      });
      const { etag } = headers as { etag: string };
      const repeated = await ask(`${locale}?locale=nl`).set('If-None-Match', etag).expect(304);
      expect(repeated.headers).to.include({
        'content-language': 'nl',
        'cache-control': 'public, max-age=3600',
      });
    });

    it('of English is what the runtime says, spaces included', async () => {
      const { formats, translations } = await localeFor('?locale=en');
      expect(formats).to.deep.equal({
        date: { full: 'EEEE, MMMM d, y', long: 'MMMM d, y', medium: 'MMM d, y', short: 'M/d/yy' },
        time: {
          full: 'h:mm:ss\u202fa zzzz',
          long: 'h:mm:ss\u202fa z',
          medium: 'h:mm:ss\u202fa',
          short: 'h:mm\u202fa',
        },
        dateTime: { full: "{1} 'at' {0}", long: "{1} 'at' {0}", medium: '{1}, {0}', short: '{1}, {0}' },
        numbers: { decimals: '.', grouping: ',', minus: '-' },
      });
      expect(translations.time).to.deep.equal({ AM: 'AM', PM: 'PM' });
      expect(translations.days.formatted.narrow.join('')).to.equal('SMTWTFS');
    });

    it('tells months within a date from months alone, and words from letters of fields', async () => {
      const ru = await localeFor('?locale=ru');
      expect(ru.translations.months.formatted.wide[2]).to.equal('марта');
      expect(ru.translations.months.nominative.wide[2]).to.equal('март');
      expect(ru.formats.date).to.deep.equal({
        full: "EEEE, d MMMM y\u202f'г'.",
        long: "d MMMM y\u202f'г'.",
        medium: "d MMM y\u202f'г'.",
        short: 'dd.MM.y',
      });
      const pt = await localeFor('?locale=pt_BR');
      expect(pt).to.include({
        locale: 'pt-BR',
        countryCode: 'BR',
        country: 'Brazil',
        countryNative: 'Brasil',
      });
      expect(pt.formats.date.long).to.equal("d 'de' MMMM 'de' y");
      const ja = await localeFor('?locale=ja');
      expect(ja.translations.months.formatted.wide[0]).to.equal('1月');
      expect(ja.formats.date.full).to.equal('y年M月d日EEEE');
      expect((await localeFor('?locale=fi')).translations.months.formatted.wide[0]).to.equal('tammikuuta');
    });

    it('runs from right to left, or counts in other years and digits, and stays usable', async () => {
      const ar = await localeFor('?l=ar');
      expect(ar).to.include({ locale: 'ar', direction: 'rtl' });
      const fa = await localeFor('?l=fa');
      expect(fa.direction).to.equal('rtl');
      expect(fa.formats.date.short).to.equal('y/M/d');
      expect(fa.translations.months.formatted.wide[0]).to.contain('ژانویه');
    });

    it('is the nearest one: of the tag, of its language, English', async () => {
      for (const [asked, found] of [
        ['nl-NL', 'nl-NL'],
        ['nl-XX', 'nl'],
        ['NL_be', 'nl-BE'],
        ['xx-YY', 'en'],
        ['abcd', 'en'],
        ['zh-Hant', 'zh-Hant'],
        ['es-419', 'es-419'],
      ]) {
        expect((await localeFor(`?locale=${asked}`)).locale, asked).to.equal(found);
      }
    });

    it('is chosen by the query, else by the browser, else by the site', async () => {
      await kit.lyceum.make.settings('host', { default_lang: 'de' });
      expect((await localeFor('?locale=nl&l=fr', 'ru')).locale).to.equal('nl');
      expect((await localeFor('?l=fr', 'ru')).locale).to.equal('fr');
      expect((await localeFor('', 'ru-RU,en;q=0.5')).locale).to.equal('ru-RU');
      expect((await localeFor('', 'ru;q=0.1')).locale).to.equal('ru');
      for (const unusable of ['*', '', ';;;', '../../x', 'toolong-tag', 'x'.repeat(5_000)]) {
        expect((await localeFor('', unusable)).locale, unusable.slice(0, 20)).to.equal('de');
      }
      expect((await localeFor('')).locale).to.equal('de');
      await kit.lyceum.make.settings('host', { default_lang: 'en' });
    });

    it('of every language of the runtime has all its names', async () => {
      const tags = [
        'af',
        'am',
        'bg',
        'bn',
        'cs',
        'el',
        'et',
        'eu',
        'he',
        'hi',
        'hu',
        'hy',
        'id',
        'ko',
        'lt',
        'th',
        'vi',
        'zh-TW',
        'zu',
      ];
      for (const tag of tags) {
        const { translations, formats } = await localeFor(`?l=${tag}`);
        const names = [
          ...Object.values(translations.months.formatted),
          ...Object.values(translations.months.nominative),
          ...Object.values(translations.days.formatted),
          ...Object.values(translations.days.nominative),
        ] as string[][];
        for (const list of names) {
          expect([7, 12], tag).to.include(list.length);
          expect(
            list.every((name) => name !== '' && !/^\d+$/.test(name)),
            `${tag} ${list.join()}`,
          ).to.equal(true);
        }
        for (const pattern of Object.values(formats.date) as string[]) {
          expect(pattern, tag).to.match(/y/).and.to.match(/[ML]/).and.to.match(/d/);
          expect(pattern.replaceAll(/'[^']*'/g, ''), tag).to.match(
            /^[^A-Za-z]*(?:(?:E{4}|y{1,2}|[ML]{1,4}|d{1,2}|G)[^A-Za-z]*)+$/,
          );
        }
      }
    });
  });

  describe('translations', () => {
    const own = async (language: string) =>
      JSON.parse(
        await readFile(
          path.join(import.meta.dirname, `../translations/svctutor-form-${language}.json`),
          'utf8',
        ),
      );

    it('are those of the language, with the header', async () => {
      const { body, headers } = await ask(`${translation}?language=ru`).expect(200);
      expect(body['']).to.include({ language: 'ru' });
      expect(body['']['plural-forms']).to.match(/^nplurals=3; plural=/);
      expect(body).to.deep.include(await own('ru'));
      expect(headers).to.include({
        'content-language': 'ru',
        vary: 'Origin, Accept-Language',
        'cache-control': 'public, max-age=3600',
      });
      await ask(`${translation}?language=ru`).set('If-None-Match', String(headers.etag)).expect(304);
      expect((await ask(`${translation}?l=ru-RU`)).body).to.deep.equal(body);
      expect((await ask(translation, 'ru')).body).to.deep.equal(body);
      expect((await ask(translation)).body['']).to.include({ language: 'en' });
    });

    it('say in each language the same messages', async () => {
      const [en, ru] = await Promise.all([own('en'), own('ru')]);
      expect(Object.keys(ru)).to.deep.equal(Object.keys(en));
      for (const [message, said] of Object.entries(en) as [string, string[]][]) {
        if (message === '') continue;
        const names = (text: string): string[] => (text.match(/\{\w+\}|%d/g) ?? []).sort();
        expect(said[1], message).to.equal(message);
        for (const text of ru[message].slice(1)) expect(names(text), message).to.deep.equal(names(message));
      }
    });

    it('are nothing for a language or a context that nobody translates', async () => {
      for (const query of ['language=zu', 'language=ru&context=nobody', 'l=xx-YY&c=a']) {
        const { body, headers } = await ask(`${translation}?${query}`).expect(200);
        expect(body, query).to.deep.equal({});
        expect(headers['content-language']).to.be.a('string');
      }
    });

    it('come from every module that is on, and leave with it', async () => {
      const admin = kit.lyceum.as(await kit.lyceum.make.admin());
      const toggle = (enabled: boolean) =>
        admin.put('svc/modules/v1/modules/more_words', { enabled, scope: 'site' }).expect(200);
      const say = async (query: string) => (await ask(`${translation}?${query}`).expect(200)).body;
      expect(await say('l=nl')).to.deep.equal({});
      await toggle(true);
      expect((await say('l=nl')).Form).to.deep.equal([null, 'Formulier']);
      const ru = await say('l=ru');
      // Its own come first, whoever else translates the same.
      expect(ru.Form).to.deep.equal([null, 'Форма']);
      expect(ru).to.deep.include(await own('ru'));
      expect((await say('l=pt-BR&c=other'))['menu\u0004Form']).to.deep.equal([
        'Forms',
        'Formulário',
        'Formulários',
      ]);
      expect(await say('l=pt&c=other')).to.deep.equal({});
      expect(await say('l=fr')).to.deep.equal({ Good: [null, 'Bon'] });
      expect(await say('l=it')).to.deep.equal({});
      await toggle(false);
      expect(await say('l=nl')).to.deep.equal({});
    });
  });

  it('take no tag and no context of another form', async () => {
    for (const query of [
      `${locale}?locale=`,
      `${locale}?locale=n`,
      `${locale}?locale=nl-`,
      `${locale}?locale=nl-NL-x`,
      `${locale}?l=..%2F..%2Fetc`,
      `${locale}?l=en%0A`,
      `${locale}?l=${'a'.repeat(7_000)}`,
      `${locale}?l=nl&l=en`,
      `${translation}?language=deutsch`,
      `${translation}?context=..%2F..%2Fetc%2Fpasswd`,
      `${translation}?context=`,
      `${translation}?c=A`,
      `${translation}?c=${'a'.repeat(65)}`,
      `${translation}?c=a.b`,
    ]) {
      const { body } = await ask(query).expect(400);
      expect(body.code, query.slice(0, 100)).to.equal('rest_invalid_param');
    }
  });

  it('may be asked for from origins that the site allows', async () => {
    await kit.lyceum.make.settings('host', { allowed_origins: ['https://static.example'] });
    const { headers } = await ask(`${locale}?l=nl`).set('Origin', 'https://static.example').expect(200);
    expect(headers['access-control-allow-origin']).to.equal('https://static.example');
    expect(headers.vary).to.contain('Origin').and.to.contain('Accept-Language');
  });
});
