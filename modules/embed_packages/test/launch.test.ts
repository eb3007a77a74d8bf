import { expect } from 'chai';
import { PackageKit } from './package-kit.ts';
import { zip, zipOf } from './zip-maker.ts';

const page = (title: string): string => `<title>${title}</title>`;

/** A SCORM manifest with these resources, `id: href`. */
const manifest = (resources: Readonly<Record<string, string>>, items: readonly string[], more = ''): string =>
  `<?xml version="1.0"?>
  <manifest identifier="m" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2">
    <organizations ${items.length > 0 ? 'default="o2"' : ''}>
      <organization identifier="o1"><item identifierref="other"/></organization>
      <organization identifier="o2"><title>T</title><item><item identifierref="none"/>
        ${items.map((id) => `<item identifierref="${id}"/>`).join('')}</item></organization>
    </organizations>
    <resources ${more}>
      <resource identifier="none" type="webcontent"><file href="x.css"/></resource>
      ${Object.entries(resources)
        .map(([id, href]) => `<resource identifier="${id}" href="${href}"/>`)
        .join('\n')}
    </resources>
  </manifest>`;

const others = { 'a.html': page('A'), 'z.html': page('Z') };

describe('embed_packages: the beginning of content', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start();
  });
  after(() => kit.lyceum.stop());

  const entryOf = async (files: Readonly<Record<string, string>>, fields = {}): Promise<string> =>
    (await kit.upload(zipOf(files), fields).expect(201)).body.entry;

  it('is the document that is wanted, else index.html, else index.htm', async () => {
    const both = { 'index.htm': 'x', 'index.html': 'x', ...others };
    expect(await entryOf(both, { entry: 'a.html' })).to.equal('a.html');
    expect(await entryOf(both, { entry: 'no.html' })).to.equal('index.html');
    expect(await entryOf({ 'index.htm': 'x', ...others, 'imsmanifest.xml': 'x' })).to.equal('index.htm');
  });

  it('is what a SCORM manifest launches: of its default organization, else its first resource', async () => {
    const files = { 'shared/launch.html': page('L'), ...others };
    const resources = { other: 'a.html', sco: 'shared/launch.html?x=1#top' };
    expect(await entryOf({ ...files, 'imsmanifest.xml': manifest(resources, ['sco']) })).to.equal(
      'shared/launch.html',
    );
    expect(await entryOf({ ...files, 'imsmanifest.xml': manifest(resources, []) })).to.equal('a.html');
    expect(await entryOf({ ...files, 'imsmanifest.xml': manifest(resources, ['nobody']) })).to.equal(
      'a.html',
    );
    const based = manifest({ sco: 'launch.html' }, ['sco'], 'xml:base="shared/"');
    expect(await entryOf({ ...files, 'imsmanifest.xml': based })).to.equal('shared/launch.html');
    const encoded = { 'a b/ж.html': page('x'), ...others };
    const spaced = manifest({ sco: 'a%20b/%D0%B6.html' }, ['sco']);
    expect(await entryOf({ ...encoded, 'imsmanifest.xml': spaced })).to.equal('a b/ж.html');
    const inFolder = Object.fromEntries(
      Object.entries({ ...files, 'imsmanifest.xml': manifest(resources, ['sco']) }).map(([name, data]) => [
        `export/${name}`,
        data,
      ]),
    );
    expect(await entryOf(inFolder)).to.equal('shared/launch.html');
  });

  it('is what xAPI and cmi5 launch, when it is in the package', async () => {
    const tincan = (launch: string): string =>
      `<tincan xmlns="http://projecttincan.com/tincan.xsd"><activities><activity id="x"><name>N</name>
        <launch lang="en-us">${launch}</launch></activity></activities></tincan>`;
    expect(await entryOf({ ...others, 'tincan.xml': tincan('z.html') })).to.equal('z.html');
    expect(
      await entryOf({ ...others, 'tincan.xml': tincan('http://a.example/z.html'), 'story.html': 'x' }),
    ).to.equal('story.html');
    const cmi5 = (urls: readonly string[]): string =>
      `<courseStructure><course id="c"/>${urls.map((url) => `<au id="${url}"><url> ${url} </url></au>`).join('')}</courseStructure>`;
    const units = ['https://a.example/x.html', '../../x.html', 'z.html?a=b', 'a.html'];
    expect(await entryOf({ ...others, 'cmi5.xml': cmi5(units) })).to.equal('z.html');
  });

  it('is story.html, or the only document', async () => {
    expect(await entryOf({ ...others, 'story.html': 'x' })).to.equal('story.html');
    expect(await entryOf({ 'deep/er/only.htm': 'x', 'x.css': 'x', 'y/z.js': 'x' })).to.equal(
      'deep/er/only.htm',
    );
  });

  it('must be there', async () => {
    const refused = [
      zipOf({ 'readme.txt': 'x' }),
      zipOf(others),
      zipOf({ ...others, 'imsmanifest.xml': manifest({ sco: 'gone.html' }, ['sco']) }),
      zipOf({ ...others, 'imsmanifest.xml': manifest({ sco: '../../etc/passwd' }, ['sco']) }),
      zipOf({ ...others, 'imsmanifest.xml': '<manifest' }),
      zip([]),
    ];
    const before = await kit.files();
    for (const content of refused) {
      expect((await kit.upload(content).expect(400)).body.code).to.equal('embed_packages_no_entry');
    }
    expect(await kit.files()).to.deep.equal(before);
  });

  it('is found without a look at anything outside: entities and document types are nothing', async () => {
    const xxe = `<?xml version="1.0"?><!DOCTYPE manifest [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY z "z.html">
      <!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>
      ${manifest({ sco: '&z;&e;a.html' }, ['sco']).replace(/<\?xml.*\?>/, '')}`;
    expect(await entryOf({ ...others, 'imsmanifest.xml': xxe })).to.equal('a.html');
    const laughs = `<!DOCTYPE m [${Array.from({ length: 20 }, (_none, at) => `<!ENTITY a${at + 1} "&a${at};&a${at};&a${at};">`).join('')}]>
      ${manifest({ sco: '&a20;a.html' }, ['sco']).replace(/<\?xml.*\?>/, '')}`;
    expect(await entryOf({ ...others, 'imsmanifest.xml': laughs })).to.equal('a.html');
  });

  it('is not worth much time: manifests that are deep, wide or without an end', async () => {
    const random = Array.from({ length: 40_000 }, (_none, at) => ((at * 7919) % 65_521).toString(36)).join(
      ' ',
    );
    const bad = [
      `<a>${'<a>'.repeat(300_000)}${random}`,
      `<a ${Array.from({ length: 60_000 }, (_none, at) => `b${at}="${at}"`).join(' ')}/>`,
      `<!-- ${random.repeat(4)}`,
      `<a>${random.repeat(4)}`,
      `<a b="${random.repeat(4)}`,
    ];
    for (const xml of bad) {
      const start = performance.now();
      expect(await entryOf({ ...others, 'index.html': 'x', 'imsmanifest.xml': xml })).to.equal('index.html');
      const without = { ...others, 'story.html': random, 'imsmanifest.xml': xml };
      expect(await entryOf(without)).to.equal('story.html');
      expect(performance.now() - start).to.be.below(2_000);
    }
  });
});
