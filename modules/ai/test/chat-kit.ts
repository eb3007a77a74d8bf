import { createHash } from 'node:crypto';
import { type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';
import { ChunkStore, type NewChunk } from '@lyceum/module/rag';
import type { FakeModel } from './fake-model.ts';

export const route = 'svctutor/ai/v1';
export const secret = 'a secret of the chat';

/** A page whose text is in the store, in one chunk for each text. */
export interface TestPage {
  readonly title: string;
  readonly texts: readonly string[];
  readonly headings?: readonly string[];
  readonly lang?: string;
}

/** An answer as the API gives it. */
export interface Answer {
  readonly conversation_id: string;
  readonly message_id: string;
  readonly answer: string;
  readonly no_answer: boolean;
  readonly citations: readonly {
    readonly n: number;
    readonly id_post: number;
    readonly quote: string;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
}

export const library: TestPage = {
  title: 'Library',
  texts: ['The library opens at 9:00. Bring your card.'],
};

type Site = { readonly path: string; readonly domain: string };

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const chunkOf = (content: string, heading_path: readonly string[]): NewChunk => ({
  content,
  heading_path,
  content_hash: md5(content),
  embed_hash: md5(`${heading_path.join('\n')}\n${content}`),
  token_count: Math.ceil(Buffer.byteLength(content) / 4),
});

/** A host with the chat and the store of texts. */
export class ChatKit {
  readonly lyceum: TestHost;
  readonly admin: Client;
  /** The backend of the main site's chat. */
  readonly chat: Client;
  /** Id of the library's page, where there is one. */
  libraryPage = 0;

  private constructor(lyceum: TestHost, admin: Client) {
    this.lyceum = lyceum;
    this.admin = admin;
    this.chat = this.chatOn();
  }

  static async start(options: TestHostOptions = {}): Promise<ChatKit> {
    const lyceum = await startTestHost({ modules: ['ai', 'rag'], ...options });
    const kit = new ChatKit(lyceum, lyceum.as(await lyceum.make.admin()));
    await kit.settings({ chat_secret: secret });
    return kit;
  }

  /** The same with a library, and a language model that is asked about it. */
  static async withModel(model: FakeModel, options: TestHostOptions = {}): Promise<ChatKit> {
    const kit = await ChatKit.start(options);
    await model.start();
    await kit.useModel(model.url);
    kit.libraryPage = await kit.publish(library);
    return kit;
  }

  async stopWith(model: FakeModel): Promise<void> {
    await this.lyceum.stop();
    await model.stop();
  }

  chatOn(site?: Site, shown = secret): Client {
    return this.lyceum.as({ headers: { 'X-Ai-Chat-Secret': shown } }, site);
  }

  settings(given: Readonly<Record<string, unknown>>, blogId = 1): Promise<void> {
    return this.lyceum.make.settings('ai', given, blogId);
  }

  /** Lets the main site ask a model at this address. */
  async useModel(url: string): Promise<void> {
    await this.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await this.settings({ provider: 'openai', provider_url: url, provider_key: 'sk-kept-to-ourselves' });
  }

  /** Publishes a page and puts its chunks into the store: the id of the page. */
  async publish({ title, texts, headings = [], lang = 'en' }: TestPage, blogId = 1): Promise<number> {
    const { db, services, modules } = this.lyceum.host;
    const [post] = (await db
      .knex('posts')
      .insert({
        ...{ blog_id: blogId, type: 'page', status: 'publish', title, lang, author_id: 1 },
        ...{ slug: md5(`${blogId} ${title}`), hash: '', search: '' },
      })
      .returning('id')) as { id: number }[];
    const id = post?.id ?? 0;
    const spec = modules.get('rag')?.spec;
    if (!spec) throw new Error('The module "rag" is not installed.');
    const store = services.resolve(spec)(ChunkStore);
    const plan = { embedder: 'none', wanted: false, anew: false };
    const source = { blog_id: blogId, id_post: id, title, url: '', post_type: 'page', lang };
    const chunks = texts.map((text) => chunkOf(text, headings));
    await db.transaction(async (trx) => {
      await store.put(trx, blogId, {
        asked: plan.embedder,
        embedder: plan.embedder,
        dimensions: null,
        recipe: '',
      });
      await store.replace(trx, source, chunks, plan);
    });
    return id;
  }

  /** The answer to a question that has one. */
  async ask(message: string, more: object = {}): Promise<Answer> {
    const { body } = await this.chat.post(`${route}/chat`, { message, ...more }).expect(200);
    return body as Answer;
  }

  /** A conversation as an administrator sees it. */
  async conversation(id: string): Promise<{
    readonly messages: readonly {
      readonly role: string;
      readonly content: string;
      readonly status: string;
      readonly error: { readonly code: string } | null;
    }[];
  }> {
    return (await this.admin.get(`${route}/conversations/${id}`).expect(200)).body;
  }
}
