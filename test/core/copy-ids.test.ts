import { expect } from 'chai';
import fc from 'fast-check';
import type { IdKind, NewId } from '../../core/copy/references.ts';
import { rewriteIds, rewriteJsonIds, rewriteMarkupIds } from '../../core/copy/rewrite-ids.ts';
import { cpuMs } from '../kit/cpu-time.ts';

/** Attachments 7 and 9, post 5 and term 3 have copies; attachment 6 has none and is gone. */
const copies: Readonly<Record<IdKind, ReadonlyMap<number, number | null>>> = {
  attachment: new Map<number, number | null>([
    [7, 70],
    [9, 90],
    [6, null],
  ]),
  post: new Map([[5, 50]]),
  term: new Map([
    [3, 30],
    [7, 77],
  ]),
};

const newId: NewId = (kinds, id) => {
  for (const kind of kinds) {
    const found = copies[kind].get(id);
    if (found !== undefined) return found;
  }
  return undefined;
};

type Case = readonly [string, string];
const same = (text: string): Case => [text, text];
const check = (rewrite: (text: string, ids: NewId) => string, cases: readonly Case[]): void => {
  for (const [text, wanted] of cases) expect(rewrite(text, newId), text).to.equal(wanted);
};

describe('rewriting ids', () => {
  it('follows block comments, image classes and shortcodes', () => {
    check(rewriteMarkupIds, [
      [
        '<!-- wp:image {"id":7} --><img class="wp-image-7"><!-- /wp:image -->',
        '<!-- wp:image {"id":70} --><img class="wp-image-70"><!-- /wp:image -->',
      ],
      ['<!-- wp:gallery {"ids":[7,8, 9]} /-->', '<!-- wp:gallery {"ids":[70,8, 90]} /-->'],
      [
        '<!-- wp:my/block {"a":{"mediaId":7,"postId":5},"ref":5,"termId":3,"attachmentId":9} -->',
        '<!-- wp:my/block {"a":{"mediaId":70,"postId":50},"ref":50,"termId":30,"attachmentId":90} -->',
      ],
      ['[gallery ids="7,8"]', '[gallery ids="70,8"]'],
      ["[playlist type='video' ids='9, 7']", "[playlist type='video' ids='90, 70']"],
      ['[audio id=7] [video id="9"][/video]', '[audio id=70] [video id="90"][/video]'],
      [
        '[caption id="attachment_7" width="3"]x[/caption]',
        '[caption id="attachment_70" width="3"]x[/caption]',
      ],
      [
        String.raw`class=\u0022wp-image-7 a\u0022 [gallery ids=\u00227,9\u0022] [caption id=\u0027attachment_7\u0027]`,
        String.raw`class=\u0022wp-image-70 a\u0022 [gallery ids=\u002270,90\u0022] [caption id=\u0027attachment_70\u0027]`,
      ],
      ['<img class=\\"size-full wp-image-9 x\\">', '<img class=\\"size-full wp-image-90 x\\">'],
      [
        '<!-- wp:navigation-link {"id":7,"kind":"taxonomy"} /-->',
        '<!-- wp:navigation-link {"id":77,"kind":"taxonomy"} /-->',
      ],
      [
        '<!-- wp:latest-posts {"categories":[{"id":3},{"id":7}]} /-->',
        '<!-- wp:latest-posts {"categories":[{"id":30},{"id":77}]} /-->',
      ],
      ['<!-- lost <!-- wp:image {"id":7} -->', '<!-- lost <!-- wp:image {"id":70} -->'],
    ]);
  });

  it('leaves what is no id, of another kind, or unknown', () => {
    check(
      rewriteMarkupIds,
      [
        '<!-- wp:image {"id":8,"width":7,"Id":7,"id2":7} -->',
        '<!-- wp:image {"id":"7"} -->',
        '<!-- wp:image {"id":7.0,"mediaId":-7} -->',
        '<!-- wp:image {"id":3} -->',
        '<!-- wp:block {"ref":7} -->',
        '<!-- wp:image {"mediaId":5} -->',
        '<!-- wp:image {"id":7 -->',
        '<!-- wp:image {"id":7,} -->',
        '<!-- image {"id":7} -->',
        'the number 7, wp-image-7 and {"id":7}',
        '<i class="wp-image-77 xwp-image-7 wp-image-7x">',
        '[gallery include="7"] [galleryx ids="7"] [audio idx="7"] [gallery]',
        '[gallery ids="07,70"]',
      ].map(same),
    );
  });

  it('takes out ids of what is gone, with what belongs to them', () => {
    check(rewriteMarkupIds, [
      ['<!-- wp:image {"id":6} -->', '<!-- wp:image {} -->'],
      ['<!-- wp:image {"id":6, "a":1} -->', '<!-- wp:image {"a":1} -->'],
      ['<!-- wp:image {"a":1 , "id":6} -->', '<!-- wp:image {"a":1} -->'],
      ['<!-- wp:image {"a":1,"id":6,"mediaId":6} -->', '<!-- wp:image {"a":1} -->'],
      ['<!-- wp:image {"id":6,"mediaId":6,"a":1} -->', '<!-- wp:image {"a":1} -->'],
      ['<!-- wp:image {"id":6,"mediaId":6} -->', '<!-- wp:image {} -->'],
      ['<!-- wp:gallery {"ids":[6,7,6,6,9,6]} -->', '<!-- wp:gallery {"ids":[70,90]} -->'],
      ['<!-- wp:gallery {"ids":[6, 6]} -->', '<!-- wp:gallery {"ids":[]} -->'],
      ['<img class="wp-image-6">', '<img class="">'],
      ['<img class="a wp-image-6 b">', '<img class="a b">'],
      ['<img class="wp-image-6 b">', '<img class="b">'],
      ['<img class="a wp-image-6">', '<img class="a">'],
      ['[gallery ids="6,7,6"]', '[gallery ids="70"]'],
      ['[gallery ids="7,6,9"]', '[gallery ids="70,90"]'],
      ['[gallery ids="6,6"]', '[gallery ids=""]'],
      ['[audio id="6"]', '[audio id=""]'],
    ]);
  });

  it('follows objects with url and id in JSON texts, and the markup in their strings', () => {
    const text = (image: string, html: string): string =>
      `[ {"id":"abc1234","elType":"widget","settings":{"image":${image},"editor":"${html}","size":7},"elements":[]} ]`;
    check(rewriteJsonIds, [
      [text('{"url":"u","id":7}', ''), text('{"url":"u","id":70}', '')],
      [text('{"id":7,"alt":"","url":"u"}', ''), text('{"id":70,"alt":"","url":"u"}', '')],
      [text('{"url":"u","id":6}', ''), text('{"url":"u"}', '')],
      [
        text('{}', '<img class=\\"wp-image-7\\"> [gallery ids=\\"7,9\\"]'),
        text('{}', '<img class=\\"wp-image-70\\"> [gallery ids=\\"70,90\\"]'),
      ],
      same(text('{"id":7}', '')),
      same(text('{"url":7,"id":7}', '')),
      same(text('{"url":"u","id":"7"}', '')),
      same('{"url":"u","id":7} and more'),
    ]);
    expect(rewriteIds('{"url":"u","id":7}', newId)).to.equal('{"url":"u","id":70}');
    expect(rewriteIds('<p>{"url":"u","id":7}', newId)).to.equal('<p>{"url":"u","id":7}');
  });

  it('changes JSON exactly as the value says, whatever surrounds it', () => {
    const id = fc.constantFrom(5, 6, 7, 8, 9);
    const key = fc.constantFrom('id', 'ids', 'url', 'a', 'mediaId', 'x"y', 'ref');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        id,
        fc.constantFrom('u', 'a\\"b', '{"id":7}', null, true, 1.5, -7),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const kinds: Readonly<Record<string, readonly IdKind[]>> = {
      id: ['attachment', 'post'],
      ids: ['attachment', 'post'],
      mediaId: ['attachment'],
      ref: ['post'],
    };
    const moved = (found: unknown, named: string): unknown =>
      typeof found === 'number' && kinds[named] ? newId(kinds[named], found) : undefined;
    const expected = (given: unknown, named: string): unknown => {
      if (Array.isArray(given)) {
        return given.flatMap((member: unknown) => {
          const now = moved(member, named);
          return now === null ? [] : [now ?? expected(member, named)];
        });
      }
      if (typeof given !== 'object' || given === null) return given;
      return Object.fromEntries(
        Object.entries(given).flatMap(([name, member]: [string, unknown]) => {
          const now = moved(member, name);
          return now === null ? [] : [[name, now ?? expected(member, name)]];
        }),
      );
    };
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { maxKeys: 5 }),
        fc.constantFrom(undefined, 1),
        (given, indent) => {
          const text = `<p><!-- wp:a ${JSON.stringify(given, null, indent)} --></p>`;
          const found = rewriteMarkupIds(text, newId);
          expect(JSON.parse(found.slice(13, -8))).to.deep.equal(expected(given, ''));
          expect(rewriteMarkupIds(text, () => undefined)).to.equal(text);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('takes time and memory in proportion to the text, whatever is in it', () => {
    const pieces = [
      '<!-- wp:',
      '<!-- wp:a {"',
      '<!-- wp:a {"id":7} -->',
      '<!-- wp:a {"id":[',
      '[',
      '{"a":',
      '[gallery ',
      '[gallery ids="7 ',
      '[gallery ids=',
      ' ',
      'class="',
      'class = ',
      'wp-image-7 ',
      '\\',
      '\\"',
      '7,',
      '"',
    ];
    for (const piece of pieces) {
      const many = piece.repeat(Math.ceil((3 * 1024 * 1024) / piece.length));
      for (const text of [many, `[${many}`, `<!-- wp:a {"ids":[${many} -->`, `[gallery ${many}]`]) {
        expect(
          cpuMs(() => rewriteIds(text, newId)),
          text.slice(0, 40),
        ).to.be.below(2_000);
      }
    }
  }).timeout(60_000);
});
