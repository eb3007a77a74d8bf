import { type Client, startTestHost, type TestHost, type TestHostOptions, wav } from '@lyceum/core/testing';

export const space = 'svc/media-subtitles-timecodes/v1';

export const srt = '1\n00:00:01,500 --> 00:00:03,000\nHi <b>you</b> & me';

/** One cue with this text, as SRT. */
export const saying = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;

/** A host with one sound that an author uploaded, and what tests do with its tracks. */
export class TrackKit {
  readonly lyceum: TestHost;
  readonly author: Client;
  readonly id: number;
  #named = 0;

  private constructor(lyceum: TestHost, author: Client, id: number) {
    this.lyceum = lyceum;
    this.author = author;
    this.id = id;
  }

  static async start(options: Partial<TestHostOptions> = {}): Promise<TrackKit> {
    const lyceum = await startTestHost({ modules: ['media_subtitles_timecodes'], ...options });
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    const { body } = await author
      .post('svc/host/v1/media')
      .attach('file', wav(1), 'Лекция 1.wav')
      .expect(201);
    const kit = new TrackKit(lyceum, author, body.id);
    await kit.lasts(700);
    return kit;
  }

  /** The fields under a label that no other track has. */
  named<F extends object>(fields: F): F & { readonly label: string } {
    this.#named += 1;
    return { label: `Track ${this.#named}`, ...fields };
  }

  /** Makes the sound last so many seconds; null: nobody knows how long. */
  async lasts(seconds: number | null): Promise<void> {
    await this.lyceum.host.db.knex('attachments').where('post_id', this.id).update({ duration: seconds });
  }

  /** Route of the tracks, or of what lies below. */
  route(below = ''): string {
    return `${space}/attachments/${this.id}/tracks${below}`;
  }

  add(fields: object, client = this.author) {
    return client.post(this.route(), fields);
  }

  upload(content: Buffer | string, name: string, fields: Readonly<Record<string, string>> = {}) {
    const request = this.author.post(this.route('/upload'));
    for (const [field, value] of Object.entries(fields)) request.field(field, value);
    return request.attach('file', Buffer.from(content), name);
  }

  async list(query = ''): Promise<Record<string, unknown>[]> {
    return (await this.author.get(this.route(query)).expect(200)).body;
  }

  async etag(): Promise<string> {
    return String((await this.author.get(this.route()).expect(200)).headers.etag);
  }

  /** Indexes of the tracks that are the default. */
  async defaults(): Promise<unknown[]> {
    return (await this.list()).filter((track) => track.default).map(({ index }) => index);
  }

  /** Path of a file's address on this host. */
  async file(url: unknown): Promise<Response> {
    return fetch(`${this.lyceum.origin}${new URL(String(url)).pathname}`);
  }

  /** Text of the file of a new track. */
  async stored(fields: object): Promise<string> {
    const { body } = await this.add(fields).expect(201);
    return (await this.file(body.url)).text();
  }
}
