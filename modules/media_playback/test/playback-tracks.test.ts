import { expect } from 'chai';
import { film, PlaybackKit } from './playback-kit.ts';

const cue = [[0, 1, 'x']] as const;

describe('tracks for a player', () => {
  let kit: PlaybackKit;
  beforeEach(async () => {
    kit = await PlaybackKit.start();
  });
  afterEach(() => kit.lyceum.stop());

  it('makes the tracks of the wanted language the default', async () => {
    await kit.track({ srclang: 'en', cues: cue, isDefault: true });
    await kit.track({ kind: 'captions', srclang: 'pt-PT', cues: cue });
    await kit.track({ srclang: 'pt-BR', cues: cue });
    await kit.track({ kind: 'descriptions', srclang: 'en', cues: cue, isDefault: true });
    await kit.track({ kind: 'metadata', srclang: '', cues: cue });
    const chosen = async (query: string): Promise<unknown[]> => {
      const { tracks, lang } = await kit.show(query);
      const defaults = tracks.filter((track: { default: boolean }) => track.default);
      return [lang, ...defaults.map(({ index }: { index: number }) => index)];
    };
    expect(await chosen('?lang=pt')).to.deep.equal(['pt-BR', 2, 3]);
    expect(await chosen('?lang=PT-br')).to.deep.equal(['pt-BR', 2, 3]);
    expect(await chosen('?lang=pt-PT')).to.deep.equal(['pt-PT', 1, 3]);
    expect(await chosen('?lang=en-GB')).to.deep.equal(['en', 0, 3]);
    expect(await chosen('?lang=fr')).to.deep.equal([null, 0, 3]);
    expect(await chosen('')).to.deep.equal([null, 0, 3]);
    expect((await kit.show()).langs).to.deep.equal(['en', 'pt-PT', 'pt-BR']);
    for (const lang of ['<script>', '../../etc', '*', 'en_US', '', 'x'.repeat(36), 'x'.repeat(100_000)]) {
      const { status, body } = await kit.author.get(kit.route(`?lang=${encodeURIComponent(lang)}`));
      if (lang.length > 1000 && status === 431) continue;
      expect([status, body.code, Object.keys(body.data.params)], lang.slice(0, 20)).to.deep.equal([
        ...[400, 'rest_invalid_param', ['lang']],
      ]);
    }
  });

  it('tells the chapters of the language', async () => {
    await kit.looksLike('video/mp4', film);
    const chapters = { kind: 'chapters' } as const;
    await kit.track({
      ...chapters,
      srclang: 'en',
      cues: [
        [0, 65, 'Intro &amp; <b>more</b>'],
        [65, 600, 'Setup'],
        [600, 700, '&#x41;&lt;'],
      ],
    });
    expect((await kit.show()).chapters).to.deep.equal([
      { start: 0, end: 65, title: 'Intro & more' },
      { start: 65, end: 600, title: 'Setup' },
      { start: 600, end: 700, title: 'A<' },
    ]);
    await kit.track({ ...chapters, srclang: 'de', cues: [[0, 1, 'Anfang']] });
    await kit.track({ ...chapters, srclang: 'ru', isDefault: true, cues: [[0, 1, 'Начало']] });
    const title = async (query: string) => (await kit.show(query)).chapters[0].title;
    expect(await title('')).to.equal('Начало');
    expect(await title('?lang=de-AT')).to.equal('Anfang');
    expect(await title('?lang=fr')).to.equal('Начало');
  });
});
