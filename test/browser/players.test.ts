import type { Server } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';
import { openBrowser } from './browser.ts';
import { convert, makeFilm } from './film.ts';
import { servePlayers } from './player-pages.ts';

interface Playback {
  readonly sources: readonly { readonly src: string; readonly size: number }[];
  readonly hls: { readonly src: string };
  readonly tracks: readonly { readonly src: string; readonly kind: string; readonly srclang: string }[];
  readonly previewThumbnails: { readonly src: string };
}

// Scripts are text, because their names are the browser's and not this program's.
const clock = 'document.querySelector("video").currentTime';

describe('the answer for players in a browser', function () {
  this.timeout(120_000);
  let lyceum: TestHost;
  let browser: Browser;
  let players: { readonly origin: string; readonly server: Server };
  let author: Client;
  let id: number;
  let page: Page;
  let complaints: string[];

  before(async function () {
    const film = await makeFilm();
    if (film === null) return this.skip();
    [lyceum, browser, players] = await Promise.all([
      startTestHost({ config: { workers: 'inline' } }),
      openBrowser(),
      servePlayers(),
    ]);
    await lyceum.make.settings('media_converter', { preset: 'ultrafast' });
    author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    const upload = author.post('svc/host/v1/media').attach('file', film, 'film.mp4');
    id = (await upload.expect(201)).body.id;
    await convert(author, id);
    const tracks = `svc/media-subtitles-timecodes/v1/attachments/${id}/tracks`;
    const cues = (word: string) =>
      Array.from({ length: 4 }, (_none, at) => ({
        start: at * 2,
        end: at * 2 + 2,
        text: `${word} <i>${at + 1}</i> & more`,
      }));
    await author.post(tracks, { srclang: 'en', default: true, cues: cues('English') }).expect(201);
    await author.post(tracks, { srclang: 'ru', cues: cues('По-русски').slice(1) }).expect(201);
    await author.post(tracks, { kind: 'chapters', content: '0:00 One\n0:04 Two' }).expect(201);
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 640, height: 400 } });
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.route('**/*', (route) => {
      const { hostname } = new URL(route.request().url());
      return ['localhost', '127.0.0.1', ''].includes(hostname) ? route.continue() : route.abort();
    });
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).to.deep.equal([]);
  });
  after(async () => {
    await browser?.close();
    players?.server.close();
    await lyceum?.stop();
  });

  const playback = async (query = ''): Promise<Playback> =>
    (await author.get(`svc/media-playback/v1/attachments/${id}${query}`).expect(200)).body;
  /** Keeps a picture of the page for somebody who wants to look, in the folder that this variable names. */
  async function picture(name: string): Promise<void> {
    const folder = process.env.PLAYER_PICTURES;
    if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
  }
  const until = (condition: string): Promise<unknown> =>
    page.waitForFunction(condition, undefined, { timeout: 20_000 });

  async function openPlyr(body: Playback): Promise<void> {
    await page.goto(`${players.origin}/plyr`);
    await page.evaluate(
      `window.player = new Plyr('#player', { iconUrl: '/plyr/plyr.svg', blankVideo: '', crossorigin: true, muted: true,
         storage: { enabled: false }, hideControls: false, captions: { active: true, language: 'en' }, settings: ['captions', 'quality', 'speed'] });
       player.source = ${JSON.stringify(body)};`,
    );
    await until('player.ready && document.querySelector("video").readyState > 1');
  }

  it('plays in Plyr, with qualities, subtitles and a thumbnail of the seek bar', async () => {
    await openPlyr(await playback());
    await page.evaluate('player.play()');
    await until(`${clock} > 0.3`);
    await until('document.querySelector(".plyr__captions").innerText.includes("English 1 & more")');
    const qualities = await page.evaluate(
      '[...document.querySelectorAll(".plyr__menu [data-plyr=quality]")].map((entry) => entry.value)',
    );
    expect(qualities).to.deep.equal(['720', '480']);
    await until('player.previewThumbnails?.loaded');
    const bar = await page.locator('.plyr__progress').boundingBox();
    if (!bar) throw new Error('There is no seek bar.');
    await page.mouse.move(bar.x + bar.width * 0.7, bar.y + bar.height / 2, { steps: 4 });
    await until(
      '(() => { const image = document.querySelector(".plyr__preview-thumb--is-shown img"); return image?.complete && image.naturalWidth >= 1280 && getComputedStyle(image.closest(".plyr__preview-thumb")).opacity === "1"; })()',
    );
    await picture('plyr');
    await page.evaluate('player.quality = 480');
    await until('document.querySelector("video").currentSrc.includes("mp4_480")');
  });

  it('plays in Plyr over hls.js', async () => {
    const body = await playback();
    await openPlyr(body);
    await page.evaluate(
      `window.hls = new Hls(); hls.loadSource(${JSON.stringify(body.hls.src)});
       hls.attachMedia(document.querySelector('video')); hls.on(Hls.Events.MANIFEST_PARSED, () => player.play());`,
    );
    await until(`document.querySelector("video").currentSrc.startsWith("blob:") && ${clock} > 0.5`);
    expect(await page.evaluate('hls.levels.map(({ height }) => height)')).to.deep.equal([360, 480, 720]);
  });

  async function openVideoJs(body: Playback): Promise<void> {
    await page.goto(`${players.origin}/video.js`);
    await page.evaluate(
      `window.body = ${JSON.stringify(body)};
       document.querySelector('video').className = 'video-js';
       window.player = videojs('player', { crossOrigin: 'anonymous', muted: true,
         html5: { nativeTextTracks: false, vhs: { overrideNative: true } } });
       player.src([body.hls, ...body.sources]);
       for (const track of body.tracks) player.addRemoteTextTrack(track, false);
       const pictures = player.addRemoteTextTrack({ kind: 'metadata', src: body.previewThumbnails.src }, false);
       pictures.track.mode = 'hidden'; window.pictures = pictures.track;`,
    );
    await until('player.readyState() > 1');
  }

  /** As plugins for Video.js do it: the cue at the pointer says where its picture is. */
  const showThumbnail = (at: number): string => `(() => {
    const { text } = Array.from(pictures.cues).find((cue) => cue.startTime <= ${at} && ${at} < cue.endTime);
    const [file, area] = text.split('#xywh=');
    const [x, y, width, height] = area.split(',').map(Number);
    const box = document.createElement('canvas');
    Object.assign(box, { id: 'thumbnail', width, height });
    box.style.cssText = 'position:absolute;left:55%;bottom:45px;border:2px solid white;z-index:9';
    player.el().append(box);
    const image = new Image();
    image.crossOrigin = 'anonymous';
    image.onload = () => { box.getContext('2d').drawImage(image, -x, -y); box.dataset.drawn = String(x); };
    image.src = new URL(file, body.previewThumbnails.src).href;
  })()`;

  it('plays in Video.js, with subtitles of the stored number of cues and a thumbnail', async () => {
    await openVideoJs(await playback());
    await page.evaluate('player.play()');
    await until('player.currentTime() > 0.3');
    await until('document.querySelector(".vjs-text-track-display").innerText.includes("English 1 & more")');
    await page.evaluate(
      'for (const track of Array.from(player.textTracks())) if (track.mode === "disabled") track.mode = "hidden"',
    );
    const counts = (): Promise<unknown> =>
      page.evaluate(
        'Array.from(player.textTracks()).filter((track) => track.kind !== "metadata").map((track) => [track.label, track.cues?.length ?? 0])',
      );
    await until('Array.from(player.textTracks()).every((track) => track.cues?.length > 0)');
    expect(await counts()).to.deep.equal([
      ['English', 4],
      ['русский', 3],
      ['Chapters', 2],
    ]);
    await page.evaluate(showThumbnail(5.5));
    await until('document.querySelector("#thumbnail")?.dataset.drawn === "800"');
    await page.evaluate('player.userActive(true)');
    await picture('video-js');
    const from = await page.evaluate('player.currentSrc()');
    expect(from).to.match(/master\.m3u8$/);
  });

  it('is taken by a track element as it is stored', async () => {
    const body = await playback('?lang=ru');
    await page.goto(`${players.origin}/plyr`);
    await page.evaluate(
      `for (const { src, kind, srclang, default: isDefault } of ${JSON.stringify(body.tracks)}) {
         const track = document.createElement('track');
         Object.assign(track, { src, kind, srclang, default: isDefault });
         document.querySelector('video').append(track);
         track.track.mode = 'hidden';
       }`,
    );
    await until('[...document.querySelectorAll("track")].every((track) => track.readyState === 2)');
    expect(
      await page.evaluate('[...document.querySelectorAll("track")].map(({ track }) => track.cues.length)'),
    ).to.deep.equal([4, 3, 2]);
    expect(await page.evaluate('document.querySelectorAll("track")[1].track.cues[0].text')).to.equal(
      'По-русски <i>2</i> &amp; more',
    );
  });

  it('plays what is private through its grant, segments, tracks and sprites included', async () => {
    await author.patch(`svc/host/v1/media/${id}`, { status: 'private' }).expect(200);
    const body = await playback();
    expect(body.hls.src).to.include('/files/~');
    await openVideoJs(body);
    await page.evaluate('player.play()');
    await until('player.currentTime() > 2.2');
    await until('document.querySelector(".vjs-text-track-display").innerText.includes("English 2")');
    await page.evaluate(showThumbnail(1.5));
    await until('document.querySelector("#thumbnail")?.dataset.drawn === "160"');
    await author.patch(`svc/host/v1/media/${id}`, { status: 'publish' }).expect(200);
  });
});
