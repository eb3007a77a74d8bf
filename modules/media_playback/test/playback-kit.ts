import {
  type Artifact,
  artifactName,
  type MediaInfo,
  type NewArtifact,
  PlaybackArtifacts,
  TextTrackStore,
  type TrackKind,
  writeWebVtt,
} from '@lyceum/core';
import { avi, type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';

export const space = 'svc/media-playback/v1';

const never = new AbortController().signal;

export const film: MediaInfo = {
  ...{ kind: 'video', container: 'mov,mp4,m4a,3gp,3g2,mj2', duration: 700, bit_rate: 1_200_000 },
  ...{ width: 1280, height: 720, rotation: 0, frame_rate: 25 },
  ...{ video_codec: 'h264', audio_codec: 'aac', audio_channels: 2, audio_sample_rate: 48_000 },
  ...{ video_codecs: 'avc1.64001f', audio_codecs: 'mp4a.40.2', video_stream: 0, audio_stream: 1 },
};

/** What an encoder notes of a file. */
export const facts = (width: number, height: number) => ({
  ...{ width, height, duration: 700, bit_rate: 900_000 },
  ...{ video_codecs: 'avc1.64001f', audio_codecs: 'mp4a.40.2' },
});

/** A host with one film of an author, and artifacts as an encoder would store them. */
export class PlaybackKit {
  readonly lyceum: TestHost;
  readonly author: Client;
  readonly id: number;

  private constructor(lyceum: TestHost, author: Client, id: number) {
    this.lyceum = lyceum;
    this.author = author;
    this.id = id;
  }

  static async start(options: Partial<TestHostOptions> = {}): Promise<PlaybackKit> {
    const lyceum = await startTestHost({ modules: ['media_playback'], ...options });
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    const upload = author.post('svc/host/v1/media').attach('file', avi(16, 16, 2), 'Film.avi');
    return new PlaybackKit(lyceum, author, (await upload.expect(201)).body.id);
  }

  /** Makes the upload another file than it is: nobody looks into it again. */
  async looksLike(mime_type: string, media_info: MediaInfo | null): Promise<void> {
    const { duration = null, width = null, height = null } = media_info ?? {};
    const known = { mime_type, duration, width, height, media_info: JSON.stringify(media_info) };
    await this.lyceum.host.db.knex('attachments').where('post_id', this.id).update(known);
  }

  async put(
    given: Partial<NewArtifact> & Pick<NewArtifact, 'format_key' | 'mime_type'>,
    ending: string,
  ): Promise<Artifact> {
    const artifacts = this.lyceum.host.services.host(PlaybackArtifacts);
    const owner = { blogId: 1, attachmentId: this.id };
    const content = { bytes: Buffer.from(`${given.format_key} of ${ending}`) };
    const stored = await artifacts.store(owner, { content, name: `a.${ending}` }, never);
    const name = artifactName('Film.avi', String(given.format_key), stored.hash, ending);
    const put = await this.lyceum.host.db.transaction((trx) =>
      artifacts.put(trx, stored, { folder: 'sources', meta: {}, name, ...given }),
    );
    if (!put) throw new Error('not put');
    return put;
  }

  mp4(rung: number): Promise<Artifact> {
    const meta = facts(Math.round((rung / 9) * 8) * 2, rung);
    return this.put({ format_key: `mp4_${rung}`, mime_type: 'video/mp4', meta }, 'mp4');
  }

  /** Stores a track as its module would. */
  async track(given: {
    readonly kind?: TrackKind;
    readonly srclang: string;
    readonly isDefault?: boolean;
    readonly cues: readonly (readonly [start: number, end: number, text: string])[];
  }): Promise<void> {
    const { services, db } = this.lyceum.host;
    const [artifacts, store] = [services.host(PlaybackArtifacts), services.host(TextTrackStore)];
    const { kind = 'subtitles', srclang, isDefault = false } = given;
    const blank = { id: '', settings: '', notes: [] };
    const cues = given.cues.map(([start, end, text]) => ({
      ...blank,
      start: start * 1000,
      end: end * 1000,
      text,
    }));
    const bytes = Buffer.from(writeWebVtt({ regions: [], cues, notes: [] }));
    const stored = await artifacts.store(
      { blogId: 1, attachmentId: this.id },
      { content: { bytes }, name: 'a.vtt' },
      never,
    );
    const label = new Intl.DisplayNames(['en'], { type: 'language' }).of(srclang || 'und') ?? '';
    await db.transaction(async (trx) => {
      const name = artifactName('Film.avi', `${kind}-${srclang}`, stored.hash, 'vtt');
      const folder = kind === 'chapters' ? 'chapters' : 'subtitles';
      const artifact = await artifacts.put(trx, stored, {
        folder,
        name,
        mime_type: 'text/vtt',
        format_key: null,
        meta: {},
      });
      const index = await store.nextIndex(trx, 1, this.id);
      const file = { artifact_id: artifact?.id ?? 0, cues: cues.length, duration: 1 };
      const place = { blog_id: 1, attachment_id: this.id };
      await store.insert(
        trx,
        place,
        { kind, srclang, label, is_default: isDefault, index, ...file },
        new Date(),
      );
    });
  }

  route(query = ''): string {
    return `${space}/attachments/${this.id}${query}`;
  }

  async show(query = '', client = this.author) {
    return (await client.get(this.route(query)).expect(200)).body;
  }

  /** Asks for the address of a file on this host, without credentials. */
  async status(address: string): Promise<number> {
    const { pathname } = new URL(address);
    const answer = await fetch(`${this.lyceum.origin}${pathname}`);
    await answer.arrayBuffer();
    return answer.status;
  }

  settings(given: Readonly<Record<string, unknown>>): Promise<void> {
    return this.lyceum.make.settings('media_playback', given);
  }
}
