import { expect } from 'chai';
import { composeMail } from '../../core/mail/compose.ts';
import { languageFor, languageWanted, timeInWords } from '../../core/mail/languages.ts';
import type { Letter } from '../../core/mail/letter.ts';

const head = {
  title: 'Tom & <b>Jerry</b>\r\nBcc: x@example.test',
  url: 'https://a.example/lab/',
  from: { name: 'Tom', address: 'no-reply@a.example' },
  language: 'en',
};

const letter: Letter = {
  to: 'ann@example.test',
  language: 'en',
  subject: '{site}: {code}',
  text: 'Hello {name} of {site}.\nSecond line\r\n\r\n{code}\n\n\n{link}\n\nAgain {code} and {link}, {unknown} {toString}',
  values: { name: '{code} <i>', code: '012345', link: 'https://a.example/?a=1&b="2"' },
  code: 'code',
  link: { name: 'link', label: 'Press <here>' },
};

describe('letters', () => {
  const { subject, text, html = '' } = composeMail(head, letter);

  it('fill names in once, in subject and text, and end with where they are from', () => {
    expect(subject).to.equal('Tom & <b>Jerry</b> Bcc: x@example.test: 012345');
    expect(text).to.equal(
      'Hello {code} <i> of Tom & <b>Jerry</b> Bcc: x@example.test.\nSecond line\n\n012345\n\n\n' +
        'https://a.example/?a=1&b="2"\n\nAgain 012345 and https://a.example/?a=1&b="2", {unknown} {toString}\n\n' +
        '-- \nTom & <b>Jerry</b> Bcc: x@example.test\nhttps://a.example/lab/\n',
    );
  });

  it('say the same in HTML, where nothing that was filled in is more than text', () => {
    const shown = html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, '').replaceAll(/\s+/g, ' ');
    expect(shown).to.include('Hello {code} &lt;i&gt; of Tom &amp; &lt;b&gt;Jerry&lt;/b&gt;');
    expect(shown).to.include('Second line');
    expect(shown).to.include('Press &lt;here&gt;');
    expect(shown.split('012345')).to.have.length(3);
    expect(html.split('href="https://a.example/?a=1&amp;b=&quot;2&quot;"')).to.have.length(4);
    expect(html).not.to.match(/<(?:i|b|script|img|link)[ >]/);
  });

  it('hold no number in HTML that looks like a code, and nothing to fetch', () => {
    expect(html).not.to.match(/\d{6}/);
    expect(html).not.to.match(/src=|url\(|@import/);
  });

  it('are made in a time that grows with their length only', () => {
    const long = '{'.repeat(2_500) + '\n'.repeat(2_500);
    const started = performance.now();
    for (let times = 0; times < 20; times += 1) composeMail(head, { ...letter, text: long, subject: long });
    expect(performance.now() - started).to.be.below(2_000);
  });
});

describe('languages', () => {
  it('of somebody are his own, else those of the site; `en` is how every account begins', () => {
    for (const [locale, site, language] of [
      ['ru', 'en', 'ru'],
      ['ru_RU', 'de', 'ru'],
      ['en', 'ru', 'ru'],
      ['en', 'en', 'en'],
      ['de', 'ru', 'ru'],
      ['de', 'fr', 'en'],
      ['', '', 'en'],
    ] as const) {
      expect(languageFor(locale, site), `${locale} ${site}`).to.equal(language);
    }
  });

  it('of a page are those that the browser likes best', () => {
    expect(languageWanted('de, ru;q=0.8, en;q=0.9', 'de')).to.equal('en');
    expect(languageWanted('ru;q=0, fr', 'de')).to.equal('en');
    expect(languageWanted('', 'ru')).to.equal('ru');
    const started = performance.now();
    languageWanted(`${'a-'.repeat(50_000)},`.repeat(2), 'en');
    expect(performance.now() - started).to.be.below(200);
  });

  it('say how long something lasts', () => {
    expect(timeInWords('en', 600)).to.equal('10 minutes');
    expect(timeInWords('en', 61)).to.equal('2 minutes');
    expect(timeInWords('en', 90_000)).to.equal('1 day 1 hour');
    expect(timeInWords('ru', 60)).to.equal('1 минута');
    expect(timeInWords('ru', 604_800)).to.equal('7 дней');
  });
});
