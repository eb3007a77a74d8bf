import { expect } from 'chai';
import { saying, srt, TrackKit } from './track-kit.ts';

describe('the text of a track', () => {
  let kit: TrackKit;
  before(async () => {
    kit = await TrackKit.start();
    await kit.lyceum.make.settings('media_subtitles_timecodes', { max_tracks: 200 });
  });
  after(() => kit.lyceum.stop());

  const named = (fields: object) => kit.named(fields);
  const stored = (fields: object): Promise<string> => kit.stored(named(fields));
  const textOf = async (text: string, fields: object = {}): Promise<string> =>
    (await stored({ content: saying(text), ...fields })).split('\n').slice(3, -1).join('\n');
  const refused = async (fields: object): Promise<[number, string][]> => {
    // Work, not time: other processes want the processor, too.
    const before = process.cpuUsage();
    const { body } = await kit.add(named(fields)).expect(400);
    expect(body.code, JSON.stringify(fields).slice(0, 200)).to.equal('invalid_track');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).to.be.below(1000);
    return body.data.errors.map(({ line, message }: { line: number; message: string }) => [line, message]);
  };

  it('keeps the markup of WebVTT and escapes everything else', async () => {
    for (const [given, kept] of [
      ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
      ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
      ['a < b > c & d &amp; &copy; &#8212; &nope', 'a &lt; b &gt; c &amp; d &amp; &copy; &#8212; &amp;nope'],
      ['<v Roger & Ann>Hi', '<v Roger &amp; Ann>Hi'],
      ['<c.loud.red>x</c> <lang en-GB>y</lang>', '<c.loud.red>x</c> <lang en-GB>y</lang>'],
      ['<ruby>漢<rt>kan</rt></ruby>', '<ruby>漢<rt>kan</rt></ruby>'],
      ['one <00:00:01.500>two', 'one <00:00:01.500>two'],
      ['<b onclick="x">bold', '<b>bold</b>'],
      ['<b><i>x</b>y</i>', '<b><i>x</i></b>y'],
      ['</b>x', 'x'],
      ['<font color="#fff">x</font> {\\an8}y', 'x y'],
      ['<I>x</I>', '<i>x</i>'],
      ['go --> there', 'go --&gt; there'],
      ['<', '&lt;'],
      ['<b', '&lt;b'],
      ['<bold>x</bold>', '&lt;bold&gt;x&lt;/bold&gt;'],
      ['<<b>>', '&lt;<b>&gt;</b>'],
      ['{\\an8', '{\\an8'],
    ] as const)
      expect(await textOf(given), given).to.equal(kept);
  });

  it('of metadata is kept byte for byte', async () => {
    const cue = { start: 0, end: 1, text: '{"a": "<b> & c"}\n  <x>' };
    expect(await stored({ kind: 'metadata', cues: [cue] })).to.equal(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n{"a": "<b> & c"}\n  <x>\n',
    );
    await refused({ kind: 'metadata', cues: [{ ...cue, text: 'a --> b' }] });
    await refused({ kind: 'metadata', cues: [{ ...cue, text: 'a\n\nb' }] });
  });

  it('in WebVTT keeps identifiers, settings, regions and notes, and drops styles', async () => {
    const content = [
      ...['WEBVTT - a title', 'X-TIMESTAMP-MAP=MPEGTS:0', '', 'STYLE', '::cue { color: red }', ''],
      ...[
        'REGION',
        'id:fred',
        'width:40%',
        '',
        'NOTE first',
        '',
        'second',
        '00:03.000 --> 00:04.000',
        'b',
        '',
      ],
      ...[
        'NOTE of a',
        'two lines',
        '',
        'first',
        '00:01.000 --> 00:02.000 align:start foo:bar position:10%',
        'a',
        '',
      ],
      ...['stray lines', 'are none', '', 'NOTE last'],
    ].join('\r\n');
    expect(await stored({ content })).to.equal(
      [
        ...['WEBVTT', '', 'REGION', 'id:fred', 'width:40%', ''],
        ...[
          'NOTE of a',
          'two lines',
          '',
          'first',
          '00:00:01.000 --> 00:00:02.000 align:start position:10%',
          'a',
          '',
        ],
        ...['NOTE first', '', 'second', '00:00:03.000 --> 00:00:04.000', 'b', '', 'NOTE last', ''],
      ].join('\n'),
    );
  });

  it('in WebVTT has times as the standard writes them', async () => {
    for (const times of [
      '00:01.00 --> 00:02.000',
      '00:01,000 --> 00:02,000',
      '0:01.000 --> 00:02.000',
      '00:01.000-->00:02.000',
      '00:60.000 --> 01:02.000',
      '99:99:99.999 --> 99:99:99.999',
      '00:01.000 --> 00:02.000x',
      '1:00:01.000 --> 1:00:02.000',
    ])
      expect(await refused({ content: `WEBVTT\n\n${times}\nx` }), times).to.have.nested.property('[0][0]', 3);
    await refused({ content: 'WEBVTTX\n\n00:01.000 --> 00:02.000\nx' });
    await refused({ content: 'x\n\n00:01.000 --> 00:02.000\nx', format: 'vtt' });
  });

  it('in SRT is taken as it is found', async () => {
    const messy = [
      ...['\uFEFF', '1', ' 0:00:01,5 -->  0:00:02.25 X1:10 X2:20', 'one', '', ' ', 'still one', '2'],
      ...['00:00:03,000 --> 00:00:04,000', '3', '00:00:05,000-->00:00:06,000', '1984', '', ''],
      ...['00:00:07 --> 00:00:08', 'no counter'],
    ].join('\r');
    expect((await stored({ content: messy })).split('\n\n').slice(1)).to.deep.equal([
      '00:00:01.500 --> 00:00:02.250\none\nstill one',
      '00:00:03.000 --> 00:00:04.000',
      '00:00:05.000 --> 00:00:06.000\n1984',
      '00:00:07.000 --> 00:00:08.000\nno counter\n',
    ]);
    expect((await refused({ content: '1\n00:61:00,000 --> 00:62:00,000\nx' }))[0]?.[0]).to.equal(2);
  });

  it('of timecodes becomes chapters that follow each other', async () => {
    const chapters = async (fields: object): Promise<string[]> =>
      (await stored({ kind: 'chapters', ...fields }))
        .split('\n\n')
        .slice(1)
        .map((cue) => cue.trim());
    const three = [
      '00:00:00.000 --> 00:01:05.000\nIntro',
      '00:01:05.000 --> 00:10:00.000\nSetup',
      '00:10:00.000 --> 00:11:40.000\nEnd',
    ];
    expect(await chapters({ content: '0:00 Intro\n1:05 Setup\n10:00 End' })).to.deep.equal(three);
    const timecodes = [
      { time: 600, title: 'End' },
      { time: 0, title: 'Intro' },
      { time: 65, title: 'Setup' },
    ];
    expect(await chapters({ timecodes })).to.deep.equal(three);
    expect(
      await chapters({ content: '00:00:00.500 - A <b> & c\n\n00:01 – B', format: 'timecodes' }),
    ).to.deep.equal(['00:00:00.500 --> 00:00:01.000\nA <b> &amp; c</b>', '00:00:01.000 --> 00:11:40.000\nB']);
    expect((await refused({ kind: 'chapters', content: '0:00 A\n13:20 B' }))[0]?.[0]).to.equal(2);
    expect((await refused({ kind: 'chapters', content: '0:00 A\nB' }))[0]?.[0]).to.equal(2);
    expect((await refused({ kind: 'chapters', content: '0:00 A\n0:00 B' }))[0]?.[0]).to.equal(2);
    await refused({ kind: 'chapters', content: '0:00\n' });
    await refused({ kind: 'chapters', content: '99:99:99.999 A' });
    await kit.lasts(null);
    expect(await chapters({ content: '0:00 A\n1:00:00 B' })).to.deep.equal([
      '00:00:00.000 --> 01:00:00.000\nA',
      '01:00:00.000 --> 01:00:01.000\nB',
    ]);
    await kit.lasts(700);
  });

  it('is sorted, and tells every cue that cannot be', async () => {
    const cue = (start: number, end: number, text = 'x') => ({ start, end, text });
    const sorted = await stored({ cues: [cue(5, 6), cue(1, 4), cue(1, 2)] });
    expect(sorted.match(/^\S+ --> \S+$/gm)).to.deep.equal([
      '00:00:01.000 --> 00:00:02.000',
      '00:00:01.000 --> 00:00:04.000',
      '00:00:05.000 --> 00:00:06.000',
    ]);
    const before = (await kit.list()).length;
    const told = await refused({
      cues: [cue(0, 1), cue(5, 3), cue(-1, 1), cue(2, 2), cue(1, 2, 'x'.repeat(10_001))],
    });
    expect(told.map(([line]) => line)).to.deep.equal([2, 3, 4, 5]);
    expect(await refused({ cues: [] })).to.have.length(1);
    expect(await refused({ cues: [cue(1e300, 2e300)] })).to.have.length(1);
    expect(await refused({ cues: Array.from({ length: 30 }, () => cue(1, 0)) })).to.have.length(20);
    expect(await kit.list()).to.have.length(before);
  });

  it('is taken with 20,000 cues in a second, and with one more not at all', async () => {
    const cues = Array.from({ length: 20_001 }, (_none, at) => ({
      start: at,
      end: at + 1,
      text: `Cue <i>${at}</i> & more`,
    }));
    // Work of the whole process, the client of the test included: other processes cost it time, but no work.
    const before = process.cpuUsage();
    const { body } = await kit.add(named({ cues: cues.slice(1) })).expect(201);
    const { user, system } = process.cpuUsage(before);
    expect(body.cues).to.equal(20_000);
    expect((user + system) / 1000).to.be.below(1000);
    expect((await refused({ cues }))[0]?.[0]).to.equal(20_001);
  });

  it('that is none is refused at once', async () => {
    const long = 1024 * 1024;
    for (const content of [
      '',
      ' ',
      'nothing of the kind',
      '{"json": true}',
      '<!doctype html><p>x',
      '\u0001\u0002PNG',
      'WEBVTT',
      'WEBVTT\n\nNOTE only',
      'x'.repeat(2 * long),
      '\n'.repeat(long),
      `WEBVTT${'\n'.repeat(long)}`,
      '<b '.repeat(long / 2),
      ' '.repeat(long),
      `1\n${'0'.repeat(long)} --> 1`,
      `WEBVTT\n\n${' '.repeat(long)}-->${' '.repeat(long / 2)}`,
    ])
      await refused({ content });
    await refused({ content: '99:99:99.999 --> 99:99:99.999\nx' });
    await refused({ content: '1:60 --> 2:00\n', format: 'srt' });
    await refused({ content: srt, format: 'vtt' });
  });
});
