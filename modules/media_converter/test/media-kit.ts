import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Commands, type MediaInfo, MediaProbe } from '@lyceum/core';
import {
  type Client,
  type Identity,
  startTestHost,
  type TestHost,
  type TestHostOptions,
} from '@lyceum/core/testing';
import { expect } from 'chai';

const run = promisify(execFile);

export const route = 'svc/media-converter/v1';

export interface Entry {
  readonly queue_key: string;
  readonly status: string;
  readonly percent: number;
  readonly position: number | null;
  readonly paused: boolean;
  readonly formats: readonly {
    readonly format: string;
    readonly status: string;
    readonly percent: number;
    readonly url: string;
    readonly bytes: number | null;
    readonly attempts: number;
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A host with this module, films made by the real ffmpeg, and what an author asks of them. */
export class MediaKit {
  readonly lyceum: TestHost;
  readonly author: Client;
  readonly #folder: string;

  private constructor(lyceum: TestHost, author: Client, folder: string) {
    this.lyceum = lyceum;
    this.author = author;
    this.#folder = folder;
  }

  static async start(options: TestHostOptions = {}): Promise<MediaKit> {
    const config = { workers: 'inline', ...options.config } as const;
    const lyceum = await startTestHost({ modules: ['media_converter'], ...options, config });
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    return new MediaKit(lyceum, author, await mkdtemp(path.join(tmpdir(), 'lyceum-media-')));
  }

  async stop(): Promise<void> {
    await this.lyceum.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  command(name: string): string {
    return this.lyceum.host.services.host(Commands).find(name) ?? '';
  }

  /** A file made by ffmpeg: `args` are all but its name. */
  async make(name: string, args: readonly string[]): Promise<Buffer> {
    const file = path.join(this.#folder, name);
    await run(this.command('ffmpeg'), ['-v', 'error', '-nostdin', '-y', ...args, file]);
    return readFile(file);
  }

  /** A film with a tone. */
  film(size: string, seconds: number, more: readonly string[] = []): Promise<Buffer> {
    return this.make('film.mp4', [
      ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', ...more],
    ]);
  }

  /** Moving noise: it takes long to encode. */
  slowFilm(seconds: number): Promise<Buffer> {
    return this.make('slow.mp4', [
      ...['-f', 'lavfi', '-i', `testsrc2=size=480x270:rate=25:duration=${seconds}`],
      ...['-vf', 'noise=alls=60:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '30'],
      ...['-pix_fmt', 'yuv420p'],
    ]);
  }

  folder(): string {
    return this.#folder;
  }

  async upload(content: Buffer, name = 'Film.mp4', client: Client = this.author): Promise<number> {
    const { body } = await client.post(`${route}/media`).attach('file', content, name).expect(201);
    return body.attachment_id as number;
  }

  async encode(id: number, formats: readonly string[], client: Client = this.author): Promise<string> {
    const { body } = await client.post(`${route}/attachments/${id}/encode`, { formats }).expect(202);
    return body.queue_key as string;
  }

  async entry(key: string, wait = 0, client: Client = this.author): Promise<Entry> {
    return (await client.get(`${route}/queue/${key}?wait=${wait}`).expect(200)).body as Entry;
  }

  /** The entry at the first moment at which it is as wished; woken by its changes. */
  async until(key: string, isSo: (entry: Entry) => boolean): Promise<Entry> {
    for (let entry = await this.entry(key); ; entry = await this.entry(key, 20))
      if (isSo(entry)) return entry;
  }

  ended(key: string): Promise<Entry> {
    return this.until(key, ({ status }) => status !== 'pending' && status !== 'running');
  }

  /** What is served there, as ffprobe sees it. */
  async probe(url: string): Promise<MediaInfo> {
    const file = path.join(this.#folder, `probe${path.extname(new URL(url).pathname)}`);
    await writeFile(file, await this.fetch(url));
    const info = await this.lyceum.host.services.host(MediaProbe).info(file, new AbortController().signal);
    if (typeof info === 'string') throw new Error(info);
    return info;
  }

  async fetch(url: string): Promise<Buffer> {
    const { pathname } = new URL(url);
    const answer = await fetch(`${this.lyceum.origin}${pathname}`);
    expect(answer.status, pathname).to.equal(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Command lines of running encoders of this host. */
  async encoders(): Promise<string[]> {
    const found: string[] = [];
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      if (line.startsWith(this.command('ffmpeg')) && line.includes(this.lyceum.dataDir)) found.push(line);
    }
    return found;
  }

  /** Folders of work that is going on, or was left. */
  work(): Promise<string[]> {
    return readdir(path.join(this.lyceum.dataDir, 'work')).catch(() => []);
  }

  as(identity: Identity): Client {
    return this.lyceum.as(identity);
  }
}
