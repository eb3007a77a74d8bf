import { expect } from 'chai';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import type { ApiType, Course } from '../course.ts';
import { courseIri, isAbsoluteIri, pageIri, unitIri } from '../interfaces/identifiers.ts';
import { interfaceFiles } from '../interfaces/index.ts';
import { validateManifest } from '../interfaces/validate.ts';
import { course } from './courses.ts';

const packaged = ['scorm12', 'scorm2004', 'xapi', 'cmi5'] as const;
const paths = ['assets/course.css', 'index.html', 'pages/001-welcome.html', 'media/0a.png'];

const manifestOf = (given: Course): string => String(interfaceFiles(given, paths)[0]?.content);

/** Elements of a manifest in order, with their attributes and the text right inside. */
function elementsOf(manifest: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: { text: string }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    found.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const inside = open.at(-1);
    if (inside) inside.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(manifest).close();
  return found;
}

/** Text of authors at its worst: any character, half ones too, and the marks of XML. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '&',
      '"',
      "'",
      ']]>',
      '\u0000',
      '\u000b',
      '\ud800',
      '\udfff',
      '\ufffe',
      ' ',
      'ы',
    ),
    maxLength: 50,
  }),
  fc.constantFrom('', '</script>"&<', ']]></title>', '<!DOCTYPE a [<!ENTITY b "c">]>', '&b;', '\n\n'),
);

const hostileIri = fc.oneof(
  hostile,
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom(
    'urn:isbn:978',
    'http://[',
    'https://a:b/',
    'a:%',
    'a:%zz',
    'a:b#c#d',
    'https:///x',
    'kurs 1',
    '..',
  ),
);

describe('manifests of a course', function () {
  this.timeout(60_000);

  it('fit the schemas of their formats', async () => {
    for (const apiType of packaged) {
      expect(await validateManifest(apiType, manifestOf(course(apiType))), apiType).to.deep.equal([]);
    }
  });

  it('fit them whatever an author types', async () => {
    for (const apiType of packaged) {
      const hostileCourse = fc.record({
        courseName: hostile.map((name) => name.slice(0, 200)),
        courseComment: hostile,
        courseId: hostileIri,
        language: fc.constantFrom('en', 'ru_RU', 'zh-Hant-TW', '', 'x"><', 'de-DE-1996'),
        version: fc.integer({ min: 1, max: 9999 }),
      });
      await fc.assert(
        fc.asyncProperty(hostileCourse, async (changes) => {
          const problems = await validateManifest(apiType, manifestOf(course(apiType, changes)));
          expect(problems, `${apiType} ${JSON.stringify(changes)}`).to.deep.equal([]);
        }),
        {
          numRuns: 12,
          examples: [[{ courseName: '', courseComment: '', courseId: 'a:b', language: 'en', version: 1 }]],
        },
      );
    }
  });

  it('are refused when they do not fit', async () => {
    const wrong: readonly [ApiType, string, string][] = [
      ['scorm12', '<resources>', '<resources><resource/>'],
      ['scorm2004', 'completionSetByContent', 'completedByWish'],
      ['xapi', 'id="https://academy.example/courses/build-7"', 'id="nothing"'],
      ['cmi5', 'moveOn="Completed"', 'moveOn="Whenever"'],
    ];
    for (const [apiType, right, mistaken] of wrong) {
      const manifest = manifestOf(course(apiType));
      expect(manifest).to.include(right);
      const problems = await validateManifest(apiType, manifest.replace(right, mistaken));
      expect(problems, apiType).to.not.be.empty;
      expect(problems.join('\n'), apiType).to.match(/^line \d+: /);
      expect(await validateManifest(apiType, '<manifest'), apiType).to.not.be.empty;
    }
    const document = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>';
    expect(await validateManifest('cmi5', document)).to.deep.equal(['A manifest has no document type.']);
  });

  it('say what the author typed, without characters that no XML holds', () => {
    for (const apiType of packaged) {
      const courseName = 'A\u0001 & B </script>"<\u0000\ud800';
      const elements = elementsOf(manifestOf(course(apiType, { courseName })));
      const named = elements.filter(({ name }) => ['title', 'name', 'langstring'].includes(name));
      expect(
        named.map(({ text }) => text),
        apiType,
      ).to.include('A & B </script>"<');
    }
  });

  it('of SCORM list every other file once, the launched one first, and bring their schemas', () => {
    for (const apiType of ['scorm12', 'scorm2004'] as const) {
      const [manifest, ...schemas] = interfaceFiles(course(apiType), [
        ...paths,
        'embed/1/a b&ц.html',
        'index.html',
      ]);
      expect(manifest?.path).to.equal('imsmanifest.xml');
      const elements = elementsOf(String(manifest?.content));
      const files = elements.filter(({ name }) => name === 'file').map(({ attributes }) => attributes.href);
      expect(files[0]).to.equal('index.html');
      expect(files.map((href) => decodeURIComponent(href ?? ''))).to.have.members([
        ...paths,
        'embed/1/a b&ц.html',
        ...schemas.map(({ path }) => path),
      ]);
      expect(schemas.length).to.be.above(2);
      for (const { path, content } of schemas) {
        expect(path).to.match(/^[a-z0-9_]+\.xsd$/);
        expect(String(content)).to.not.include('<!DOCTYPE');
        // What a schema names, the package has.
        for (const [, named] of String(content).matchAll(
          /<\w+:(?:import|include)[^>]*schemaLocation\s*=\s*"([^"]+)"/g,
        )) {
          expect(
            schemas.map((schema) => schema.path),
            path,
          ).to.include(named);
        }
      }
      const [root] = elements;
      expect(root?.attributes).to.include({ identifier: 'svc-3-7', version: '4' });
      expect(elements.filter(({ name }) => name === 'resource')).to.have.length(1);
    }
  });

  it('name the edition, the unit and where it begins', () => {
    const textOf = (apiType: ApiType, wanted: string): string | undefined =>
      elementsOf(manifestOf(course(apiType))).find(({ name }) => name === wanted)?.text;
    expect(textOf('scorm12', 'schemaversion')).to.equal('1.2');
    expect(textOf('scorm2004', 'schemaversion')).to.equal('2004 4th Edition');
    expect(textOf('xapi', 'launch')).to.equal('index.html');
    expect(textOf('cmi5', 'url')).to.equal('index.html');
    const [unit] = elementsOf(manifestOf(course('cmi5'))).filter(({ name }) => name === 'au');
    expect(unit?.attributes).to.deep.equal({
      id: 'https://academy.example/courses/build-7/au/1',
      moveOn: 'Completed',
      launchMethod: 'AnyWindow',
    });
    expect(interfaceFiles(course('local'), paths)).to.deep.equal([]);
  });

  it('name the course by the IRI of its author, else by one below its site', () => {
    const iriOf = (courseId: string): string => courseIri(course('xapi', { courseId }));
    expect(iriOf('https://x.example/a?b=1')).to.equal('https://x.example/a?b=1');
    expect(iriOf('urn:isbn:978')).to.equal('urn:isbn:978');
    expect(iriOf('https://x.example/курс')).to.equal('https://x.example/курс');
    expect(iriOf('')).to.equal('https://academy.example/courses/build-7');
    expect(iriOf('first aid/2')).to.equal('https://academy.example/courses/first%20aid%2F2');
    expect(pageIri(course('xapi'), { id: 12 })).to.equal('https://academy.example/courses/build-7/page/12');
    expect(unitIri(course('cmi5', { courseId: 'a1' }))).to.equal('https://academy.example/courses/a1/au/1');
    for (const text of [
      '',
      'a',
      'a:',
      'a b:c',
      'a:b c',
      'a:<',
      'a:%1',
      'https://',
      'https:///a',
      '1a:b',
      'a:#',
    ]) {
      expect(isAbsoluteIri(text), text).to.equal(false);
    }
  });

  it('reads a long text that is no IRI in a moment', () => {
    const begin = performance.now();
    expect(isAbsoluteIri(`a:${'%'.repeat(100_000)}`)).to.equal(false);
    expect(isAbsoluteIri(`a:${'b'.repeat(100_000)} `)).to.equal(false);
    expect(performance.now() - begin).to.be.below(1000);
  });
});
