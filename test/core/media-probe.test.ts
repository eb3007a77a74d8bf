import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { findCommand } from '../../core/boot/commands.ts';
import { MediaProbe, noFacts } from '../../core/media/media-probe.ts';
import { avi, wav } from '../kit/index.ts';

describe('the media probe', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-probe-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const running = new AbortController().signal;
  const probe = new MediaProbe(findCommand('ffprobe', process.env));
  const file = async (name: string, content: Buffer | string): Promise<string> => {
    const target = path.join(folder, name);
    await writeFile(target, content);
    return target;
  };
  const script = async (name: string, source: string): Promise<MediaProbe> => {
    const command = await file(name, `#!/bin/sh\n${source}\n`);
    await chmod(command, 0o755);
    return new MediaProbe(command);
  };

  it('knows duration and size', async () => {
    const sound = await probe.facts(await file('a', wav(2)), running);
    expect(sound).to.deep.include({ duration: 2, width: null, height: null });
    expect(sound.media_info).to.include({ kind: 'audio', container: 'wav', audio_codec: 'pcm_u8' });
    const film = { duration: 1.5, width: 32, height: 16 };
    expect(await probe.facts(await file("-i 'a b'.avi", avi(32, 16, 15)), running)).to.deep.include(film);
  });

  it('knows nothing of what is neither sound nor film', async () => {
    for (const content of ['', 'text', Buffer.alloc(5_000, 1)])
      expect(await probe.facts(await file('b.mp4', content), running)).to.deep.equal(noFacts);
    expect(await probe.facts(path.join(folder, 'absent'), running)).to.deep.equal(noFacts);
    expect(await new MediaProbe(null).facts(await file('c', wav(1)), running)).to.deep.equal(noFacts);
  });

  it('follows no reference to another file', async () => {
    const other = await file('other.wav', wav(3));
    for (const content of [
      `ffconcat version 1.0\nfile 'other.wav'\n`,
      `ffconcat version 1.0\nfile 'file:${other}'\n`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile:${other}\n#EXT-X-ENDLIST\n`,
      `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n`,
    ])
      expect(await probe.facts(await file('d.mp4', content), running), content).to.deep.equal(noFacts);
  });

  const said = '{"streams":[{"codec_type":"audio"}],"format":{"duration":"5"}}';

  it('ends a program that says too much, fails, or is no longer wanted', async () => {
    const chatty = await script('chatty', 'while :; do echo yesyesyesyesyesyesyesyesyesyesyesyesyes; done');
    expect(await chatty.facts('x', running)).to.deep.equal(noFacts);
    const failing = await script('failing', `echo '${said}'; exit 1`);
    expect(await failing.facts('x', running)).to.deep.equal(noFacts);
    const talking = await script('talking', `echo '${said}'`);
    expect((await talking.facts('x', running)).duration).to.equal(5);
    const endless = await script('endless', 'while :; do :; done');
    const leaving = new AbortController();
    const facts = endless.facts('x', leaving.signal);
    leaving.abort();
    expect(await facts).to.deep.equal(noFacts);
  });

  it('gives the program neither our environment nor our secrets', async () => {
    process.env.PROBE_SECRET = 'secret';
    const nosy = await script('nosy', `test -z "$PROBE_SECRET" && echo '${said}'`);
    expect((await nosy.facts('x', running)).duration).to.equal(5);
    delete process.env.PROBE_SECRET;
  });
});
