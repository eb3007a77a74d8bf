import { expect } from 'chai';
import { saying, srt, TrackKit } from './track-kit.ts';

describe('the list of text tracks as a whole', () => {
  let kit: TrackKit;
  beforeEach(async () => {
    kit = await TrackKit.start();
    await kit.add({ srclang: 'en', content: srt, default: true }).expect(201);
    await kit.add({ srclang: 'de', content: srt }).expect(201);
  });
  afterEach(() => kit.lyceum.stop());

  const put = (tracks: unknown, ifMatch?: string) => {
    const request = kit.author.put(kit.route(), { tracks });
    return ifMatch === undefined ? request : request.set('If-Match', ifMatch);
  };
  const files = () => kit.lyceum.host.db.knex('playback_artifacts').count({ count: '*' }).first();

  it('keeps, adds and deletes in one', async () => {
    const [, second] = await kit.list();
    const chapters = { kind: 'chapters', timecodes: [{ time: 0, title: 'A' }] };
    const { body } = await put([{ index: 1 }, chapters]).expect(200);
    expect(body[0]).to.deep.equal(second);
    expect([body.length, body[1].index, body[1].kind, body[1].label]).to.deep.equal([
      2,
      2,
      'chapters',
      'Chapters',
    ]);
    const audit = await kit.lyceum
      .as(await kit.lyceum.make.admin())
      .get('svc/modules/v1/audit')
      .expect(200);
    expect(audit.body[0]).to.deep.include({
      ...{ action: 'media_subtitles_timecodes.tracks', subject: `attachment:${kit.id}` },
      from: { tracks: ['subtitles en English', 'subtitles de Deutsch'] },
      to: { tracks: ['subtitles de Deutsch', 'chapters en Chapters'] },
    });
  });

  it('lets two tracks change places', async () => {
    const swapped = [
      { index: 0, srclang: 'de', label: 'Deutsch', content: saying('eins') },
      { index: 1, srclang: 'en', label: 'English', default: true },
    ];
    const { body } = await put(swapped).expect(200);
    expect(
      body.map((track: Record<string, unknown>) => [track.index, track.srclang, track.default]),
    ).to.deep.equal([
      [0, 'de', false],
      [1, 'en', true],
    ]);
    expect(await (await kit.file(body[0].url)).text()).to.include('eins');
  });

  it('is written whole or not at all', async () => {
    const [before, count] = [await kit.list(), await files()];
    for (const [tracks, status, code] of [
      [[{ index: 7 }], 400, 'rest_invalid_param'],
      [[{ index: 0 }, { index: 0 }], 400, 'rest_invalid_param'],
      [[{ index: -1 }], 400, 'rest_invalid_param'],
      [
        [
          { srclang: 'fr', content: srt },
          { srclang: 'fr', content: srt },
        ],
        409,
        'track_exists',
      ],
      [[{ index: 0 }, { srclang: 'en', content: srt }], 409, 'track_exists'],
      [
        [
          { index: 0, default: true },
          { index: 1, default: true },
        ],
        400,
        'rest_invalid_param',
      ],
      [
        [
          { srclang: 'fr', content: srt },
          { srclang: 'it', content: 'nothing' },
        ],
        400,
        'invalid_track',
      ],
      [[{ srclang: 'fr' }], 400, 'rest_missing_callback_param'],
      [[5], 400, 'rest_invalid_param'],
      ['x', 400, 'rest_invalid_param'],
      [undefined, 400, 'rest_missing_callback_param'],
    ] as const) {
      const { body } = await put(tracks).expect(status);
      expect(body.code, JSON.stringify(tracks)).to.equal(code);
    }
    expect(await kit.list()).to.deep.equal(before);
    expect(await files()).to.deep.equal(count);
    expect(await kit.lyceum.host.db.knex('artifact_remains')).to.deep.equal([]);
  });

  it('tells which of two equal tracks is there already', async () => {
    const { body } = await put([{ index: 0 }, { index: 1, srclang: 'en', label: 'English' }]).expect(409);
    expect([0, 1]).to.include(body.data.index);
    expect((await put([{ index: 1 }, { srclang: 'de', content: srt }]).expect(409)).body.data.index).to.equal(
      1,
    );
  });

  it('is not written over what the client has not seen', async () => {
    const old = await kit.etag();
    const { headers } = await put([{ index: 0 }, { index: 1 }], old).expect(200);
    expect(headers.etag).to.equal(await kit.etag());
    // The same again is a write, too.
    expect(headers.etag).not.to.equal(old);
    const before = await kit.list();
    const { body } = await put([], old).expect(412);
    expect(body.code).to.equal('precondition_failed');
    await kit.author.patch(kit.route('/0'), { label: 'x' }).set('If-Match', old).expect(412);
    await kit.author.patch(kit.route('/0'), {}).set('If-Match', old).expect(412);
    expect(await kit.list()).to.deep.equal(before);
    await kit.author
      .patch(kit.route('/0'), { label: 'x' })
      .set('If-Match', `"nonsense", ${headers.etag}`)
      .expect(200);
    await kit.author.patch(kit.route('/0'), { label: 'y' }).set('If-Match', '*').expect(200);
    await put([]).expect(200);
  });

  it('has an ETag of its own whatever is filtered, and answers 304', async () => {
    const etag = await kit.etag();
    const filtered = await kit.author.get(kit.route('?srclang=de&include=cues')).expect(200);
    expect(filtered.headers.etag).to.equal(etag);
    await kit.author.get(kit.route()).set('If-None-Match', etag).expect(304);
    await kit.author.delete(kit.route('/0')).expect(200);
    await kit.author.get(kit.route()).set('If-None-Match', etag).expect(200);
  });

  it('lets one of fifty writers with one If-Match win', async () => {
    const etag = await kit.etag();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_none, at) =>
        put([{ index: 0, label: `Writer ${at % 3}`, content: saying(`${at}`) }], etag),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 412)).to.have.length(49);
    const won = answers.find(({ status }) => status === 200);
    expect(await kit.list()).to.deep.equal(won?.body);
    const patches = await Promise.all(
      Array.from({ length: 50 }, () =>
        kit.author.patch(kit.route('/0'), { label: 'Same' }).set('If-Match', String(won?.headers.etag)),
      ),
    );
    expect(patches.filter(({ status }) => status === 200)).to.have.length(1);
    expect(await kit.lyceum.host.db.knex('playback_artifacts')).to.have.length(1);
  });

  it('gives every one of many writers an index of his own, or says that the track is there', async () => {
    const labels = Array.from({ length: 20 }, (_none, at) => `Take ${at % 10}`);
    const answers = await Promise.all(labels.map((label) => kit.add({ label, content: srt })));
    const added = answers.filter(({ status }) => status === 201).map(({ body }) => body.index as number);
    expect(added.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 10 }, (_none, at) => at + 2));
    expect(answers.filter(({ status }) => status === 409)).to.have.length(10);
    const defaults = await Promise.all(
      added.map((index) => kit.author.patch(kit.route(`/${index}`), { default: true })),
    );
    expect(defaults.every(({ status }) => status === 200)).to.equal(true);
    expect(await kit.defaults()).to.have.length(1);
  });

  it('lets the last of many writers of one content stay', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, at) =>
        kit.author.patch(kit.route('/0'), {
          content: saying(`take ${at}`),
          ...(at % 4 === 0 ? { srclang: 'fr' } : {}),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    const [track] = await kit.list();
    expect(await (await kit.file(track?.url)).text()).to.include('take ');
    expect(await kit.lyceum.host.db.knex('playback_artifacts')).to.have.length(2);
  });
});
