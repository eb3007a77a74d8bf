import { Jobs } from '@lyceum/core';
import { type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';
import type { Test } from 'supertest';
import { type FakeServer, model, receiver, telegram, vk } from './fake-server.ts';

export const routes = {
  messenger: 'svctutor-bot/messenger/v1',
  social: 'svctutor-bot/social/v1',
  widget: 'svctutor-bot/chat-widget/v1',
};

export const token = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
export const secretToken = 'a_secret_token_of_the_bot';
export const accessToken = 'vk1.a.access-token-of-the-community';
export const vkSecret = 'vk-secret-word';
export const widgetSecret = 'a secret of the widget';
export const providerToken = 'provider-token-77';
export const groupId = 1234567;

export interface ShownMessage {
  readonly id: number;
  readonly external_id: string | null;
  readonly chat: string;
  readonly direction: 'in' | 'out';
  readonly text: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** A host with bots, and the servers that they talk to. */
export class BotKit {
  readonly lyceum: TestHost;
  readonly admin: Client;
  readonly telegram = telegram();
  readonly vk = vk();
  readonly receiver = receiver();
  readonly model = model();
  #updates = 0;

  private constructor(lyceum: TestHost, admin: Client) {
    this.lyceum = lyceum;
    this.admin = admin;
  }

  static async start(options: TestHostOptions = {}): Promise<BotKit> {
    const lyceum = await startTestHost({
      modules: ['ai', 'svctutor_bot'],
      ...options,
      config: { workers: 'inline', ...options.config },
    });
    const kit = new BotKit(lyceum, lyceum.as(await lyceum.make.admin()));
    for (const server of kit.servers) await server.start();
    await lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await kit.ai({ provider: 'openai', provider_url: `${kit.model.url}/v1`, answer_without_sources: true });
    return kit;
  }

  get servers(): FakeServer[] {
    return [this.telegram, this.vk, this.receiver, this.model];
  }

  async stop(): Promise<void> {
    await this.lyceum.stop();
    for (const server of this.servers) await server.stop();
  }

  reset(): void {
    for (const server of this.servers) server.reset();
  }

  ai = (given: Fields): Promise<void> => this.lyceum.make.settings('ai', given, 1);
  settings = (given: Fields): Promise<void> => this.lyceum.make.settings('svctutor_bot', given, 1);

  async messenger(more: Fields = {}): Promise<number> {
    const body = {
      name: 'Tutor',
      token,
      secret_token: secretToken,
      api_base_url: this.telegram.url,
      ...more,
    };
    return (await this.admin.post(`${routes.messenger}/bots`, body).expect(201)).body.id;
  }

  async social(more: Fields = {}): Promise<number> {
    const fields = {
      access_token: accessToken,
      group_id: groupId,
      confirmation: '1a2b3c4d',
      secret: vkSecret,
    };
    const body = { name: 'Community', ...fields, api_base_url: this.vk.url, ...more };
    return (await this.admin.post(`${routes.social}/channels`, body).expect(201)).body.id;
  }

  async widget(more: Fields = {}): Promise<number> {
    const body = { name: 'Website', secret: widgetSecret, ...more };
    return (await this.admin.post(`${routes.widget}/channels`, body).expect(201)).body.id;
  }

  /** An update of a private chat, each with an id of its own. */
  update(text: string, more: Fields = {}, chat = 42): Fields {
    this.#updates += 1;
    const message = {
      ...{ message_id: this.#updates, chat: { id: chat, type: 'private' }, date: 1_700_000_000 },
      ...{ from: { id: chat, is_bot: false, first_name: 'Anna' }, text, ...more },
    };
    return { update_id: this.#updates, message };
  }

  hook(botId: number, update: object, shown: string | null = secretToken): Test {
    const request = this.lyceum.anonymous.post(`${routes.messenger}/webhook/${botId}`, update);
    return shown === null ? request : request.set('X-Telegram-Bot-Api-Secret-Token', shown);
  }

  event(channelId: number, body: object): Test {
    return this.lyceum.anonymous.post(`${routes.social}/callback/${channelId}`, body);
  }

  chat(channelId: number, body: object, shown: string | null = widgetSecret): Test {
    const request = this.lyceum.anonymous.post(`${routes.widget}/chat/${channelId}`, body);
    return shown === null ? request : request.set('X-Svctutor-Bot-Secret', shown);
  }

  async messages(botId: number, collection = `${routes.messenger}/bots`): Promise<ShownMessage[]> {
    return (await this.admin.get(`${collection}/${botId}/messages?per_page=100`).expect(200)).body;
  }

  /** Messages of a bot that came in, oldest first, when all their jobs have ended. */
  async settled(botId: number): Promise<ShownMessage[]> {
    const { db, services } = this.lyceum.host;
    const jobs = services.host(Jobs);
    const ids: string[] = await db
      .knex('bot_messages')
      .where({ bot_id: botId })
      .whereNotNull('job_id')
      .pluck('job_id');
    const signal = AbortSignal.timeout(30_000);
    for (const id of ids) {
      for (
        let job = await jobs.find(id);
        job && !['completed', 'failed', 'cancelled'].includes(job.status);
      ) {
        signal.throwIfAborted();
        job = await jobs.wait(id, 20, signal);
      }
    }
    return db.knex('bot_messages').where({ bot_id: botId, direction: 'in' }).orderBy('id');
  }
}
