import { expect } from 'chai';
import { BrokenXml, ForbiddenXml } from '../import/import-problem.ts';
import { readWxr } from '../import/read-wxr.ts';
import { byLevel } from '../import/term-levels.ts';
import type { WxrItem, WxrRecord } from '../import/wxr-record.ts';
import { xmlEvents } from '../import/xml-events.ts';
import { xmlText } from '../import/xml-text.ts';
import { authorXml, categoryXml, itemXml, wxr, wxrHead } from './wxr-kit.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The records of a file that comes in pieces of this size, and what ended it. */
async function read(file: string | Buffer, size = 64) {
  const records: WxrRecord[] = [];
  try {
    for await (const record of readWxr(xmlEvents(xmlText(pieces(Buffer.from(file), size)))))
      records.push(record);
    return { records, problem: null };
  } catch (error) {
    return { records, problem: error };
  }
}

const itemsOf = (records: readonly WxrRecord[]): WxrItem[] =>
  records.filter((record): record is WxrItem => record.kind === 'item');

describe('host import: reading an export', () => {
  it('finds everything that it says, however the file comes', async () => {
    const file = wxr({
      head: `${authorXml('ann', 'ann@old.example', 'Ann')}${categoryXml('news', 'News & more', 'top')}
        <wp:term><wp:term_taxonomy>course_section</wp:term_taxonomy><wp:term_slug>one</wp:term_slug>
        <wp:term_name>One</wp:term_name><wp:termmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>v</wp:meta_value>
        </wp:termmeta></wp:term>`,
      items: [
        {
          id: 7,
          title: 'A & B <i>',
          content: 'Привет ]]> there',
          terms: ['category/news/News'],
          meta: [
            ['key', 'value'],
            ['evil', '<wp:meta_value>evil</wp:meta_value>'],
          ],
          comments: 2,
        },
      ],
    });
    const whole = await read(file, 1_000_000);
    expect(whole.problem).to.equal(null);
    for (const size of [1, 2, 3, 7, 100]) expect(await read(file, size)).to.deep.equal(whole);
    const [link, version, base, author, category, section, item] = whole.records;
    expect([link, version, base]).to.deep.equal([
      { kind: 'link', url: 'http://old.example' },
      { kind: 'version', text: '1.2' },
      { kind: 'base', url: 'http://old.example' },
    ]);
    expect(author).to.deep.include({ login: 'ann', email: 'ann@old.example', displayName: 'Ann' });
    expect(category).to.deep.include({
      taxonomy: 'category',
      slug: 'news',
      name: 'News & more',
      parent: 'top',
    });
    expect(section).to.deep.include({ taxonomy: 'course_section', meta: [{ key: 'k', value: 'v' }] });
    expect(item).to.deep.include({
      id: '7',
      title: 'A & B <i>',
      content: 'Привет ]]> there',
      terms: [{ taxonomy: 'category', slug: 'news', name: 'News' }],
      meta: [
        { key: 'key', value: 'value' },
        { key: 'evil', value: '<wp:meta_value>evil</wp:meta_value>' },
      ],
      comments: 2,
      isTooLarge: false,
    });
  });

  it('goes by namespaces, not by prefixes', async () => {
    const file = `<?xml version="1.0"?><r:rss xmlns:r="" xmlns:x="https://wordpress.org/export/1.0/"/>`;
    expect((await read(file)).problem).to.be.instanceOf(BrokenXml);
    const other = `<rss xmlns:w="https://wordpress.org/export/1.0/" xmlns:c="http://purl.org/rss/1.0/modules/content/"
      xmlns:wp="http://example.org/something-else/"><channel><w:wxr_version>1.0</w:wxr_version><item>
      <w:post_id>1</w:post_id><wp:post_id>2</wp:post_id><c:encoded>text</c:encoded>
      <w:post_type xmlns:w="http://example.org/">page</w:post_type></item></channel></rss>`;
    const { records } = await read(other);
    expect(records[0]).to.deep.equal({ kind: 'version', text: '1.0' });
    expect(itemsOf(records)).to.have.nested.property('[0].id', '1');
    expect(itemsOf(records)[0]).to.include({ content: 'text', type: '' });
    const later = await read(
      '<rss xmlns:wp="http://wordpress.org/export/1.3/"><channel><wp:wxr_version>1.3</wp:wxr_version></channel></rss>',
    );
    expect(later.records).to.deep.equal([]);
  });

  it('drops characters that XML forbids and reads other encodings', async () => {
    const dirty = wxr({ items: [{ id: 1, content: 'a\u0000b\u000bc\u001fd\ufffee\tf\ng' }] });
    expect(itemsOf((await read(dirty)).records)[0]?.content).to.equal('abcde\tf\ng');
    const utf16 = Buffer.from(`\ufeff${wxr({ items: [{ id: 1, content: 'Привет 🚀' }] })}`, 'utf16le');
    expect(itemsOf((await read(utf16, 33)).records)[0]?.content).to.equal('Привет 🚀');
    const unmarked = Buffer.from(wxr({ items: [{ id: 1, content: 'Привет' }] }), 'utf16le');
    expect(itemsOf((await read(unmarked)).records)[0]?.content).to.equal('Привет');
    expect(itemsOf((await read(unmarked.swap16())).records)[0]?.content).to.equal('Привет');
    const renamed = wxr({ items: [{ id: 1, content: 'Привет' }] }).replace('UTF-8', 'UTF-16');
    expect(renamed).to.include('encoding="UTF-16"');
    expect(itemsOf((await read(renamed)).records)[0]?.content).to.equal('Привет');
    const cyrillic = Buffer.concat([
      Buffer.from(wxrHead.replace('UTF-8', 'windows-1251')),
      Buffer.from('<channel><item><title>'),
      Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      Buffer.from('</title></item></channel></rss>'),
    ]);
    expect(itemsOf((await read(cyrillic)).records)[0]?.title).to.equal('Привет');
  });

  it('puts parents before their children, however many are above each other', () => {
    const term = (slug: string, parent: string) =>
      ({ kind: 'term', taxonomy: 'category', slug, name: slug, parent, description: '', meta: [] }) as const;
    const deep = Array.from({ length: 2_000 }, (_none, at) => term(`t${at}`, at < 1_999 ? `t${at + 1}` : ''));
    const levels = byLevel(deep);
    expect(levels.map((level) => level.map(({ slug }) => slug))).to.deep.equal(
      deep.toReversed().map(({ slug }) => [slug]),
    );
    expect(levels.flat().filter(({ parent }) => parent === '')).to.have.length(1);
    const round = byLevel([term('a', 'b'), term('b', 'c'), term('c', 'b')]);
    expect(round.flat().map(({ slug, parent }) => [slug, parent])).to.deep.equal([
      ['c', ''],
      ['b', 'c'],
      ['a', 'b'],
    ]);
  });

  it('stops at a document type and at entities of its own', async () => {
    const laughs = `<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
<rss><channel><title>&lol2;</title></channel></rss>`;
    expect((await read(laughs)).problem).to.be.instanceOf(ForbiddenXml);
    const external = '<!DOCTYPE rss SYSTEM "http://127.0.0.1/x.dtd"><rss/>';
    expect((await read(external)).problem).to.be.instanceOf(ForbiddenXml);
    const entity = wxr({ head: '<description>&nbsp;</description>' });
    expect((await read(entity)).problem).to.be.instanceOf(ForbiddenXml);
    for (const name of ['constructor', '__proto__', 'toString']) {
      const inherited = wxr({ head: `<description>&${name};</description>` });
      expect((await read(inherited)).problem, name).to.be.instanceOf(ForbiddenXml);
    }
    const five = wxr({
      head: '<wp:author><wp:author_login>&amp;&lt;&gt;&quot;&apos;&#65;&#x42;</wp:author_login></wp:author>',
    });
    expect((await read(five)).records).to.deep.include({
      kind: 'author',
      login: `&<>"'AB`,
      email: '',
      displayName: '',
      firstName: '',
      lastName: '',
    });
  });

  it('says in which line a file is broken, after what stands before', async () => {
    const lineOf = async (file: string): Promise<number | null> => {
      const { problem } = await read(file);
      return problem instanceof BrokenXml ? problem.line : null;
    };
    const good = wxr({ items: [{ id: 1 }, { id: 2 }] });
    const lines = good.split('\n').length;
    const cut = good.slice(0, good.lastIndexOf('<wp:post_type>'));
    const { records, problem } = await read(cut);
    expect(itemsOf(records).map(({ id }) => id)).to.deep.equal(['1']);
    expect((problem as BrokenXml).line).to.equal(cut.split('\n').length);
    expect(await lineOf('')).to.equal(1);
    expect(await lineOf('no xml at all')).to.equal(1);
    expect(await lineOf('<rss>\n<channel>\n</rss>')).to.equal(3);
    expect(await lineOf('<rss>\n\n<title>Tom & Jerry</title>\n<x/>\n; </rss>')).to.equal(3);
    expect(await lineOf('<rss>\n<title a=1/></rss>')).to.equal(2);
    expect(await lineOf('<rss><p:title/></rss>')).to.equal(1);
    expect(await lineOf(`${good}<more/>`)).to.equal(lines);
    expect(await lineOf(`<rss>${'<a>'.repeat(200)}`)).to.equal(1);
  });

  it('keeps memory within limits: an item that is too large is told, not kept', async () => {
    const large = 'x'.repeat(6 * 1024 * 1024);
    const file = wxr({
      items: [
        { id: 1, content: large },
        { id: 2, content: 'small' },
      ],
    });
    const [first, second] = itemsOf((await read(file, 65_536)).records);
    expect(first).to.deep.include({ id: '1', isTooLarge: true });
    expect(second).to.deep.include({ id: '2', content: 'small', isTooLarge: false });
    const many = `${wxrHead}<channel>${itemXml({ id: 1, meta: Array.from({ length: 10_001 }, () => ['k', 'v'] as const) })}</channel></rss>`;
    expect(itemsOf((await read(many, 65_536)).records)[0]?.isTooLarge).to.equal(true);
    const endless = `<rss><title>${'y'.repeat(18 * 1024 * 1024)}`;
    const { problem } = await read(endless, 65_536);
    expect((problem as BrokenXml).message).to.include('too long');
    const attributes = Array.from({ length: 40_000 }, (_none, at) => `a${at}=""`).join(' ');
    const crowded = await read(`<rss ${attributes}/>`, 65_536);
    expect((crowded.problem as BrokenXml).message).to.include('too long');
  });
});
