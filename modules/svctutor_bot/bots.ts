import { randomBytes } from 'node:crypto';
import {
  audit,
  type Call,
  canonicalTag,
  type Database,
  fail,
  invalidParams,
  type Jobs,
  lockUntilCommit,
  type Outbound,
  type Secrets,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { type Bot, type Configuration, type Kind, type SecretName, secretNames } from './bot.ts';
import { madeSecret } from './bot-record.ts';
import { countBots, deleteBot, hasBot, insertBot, lockBot, updateBot } from './bot-store.ts';
import { jobsOfBot } from './message-list-store.ts';

type Given = Readonly<Record<string, unknown>>;

/** A new bot, and the secret that was made for it by its name; nobody is told it again. */
export interface NewBot {
  readonly bot: Bot;
  readonly made: Readonly<Record<string, string>>;
}

const defaults: Readonly<Record<Kind, Partial<Configuration>>> = {
  messenger: { api_base_url: 'https://api.telegram.org' },
  social: { api_base_url: 'https://api.vk.com', api_version: '5.199' },
  chat_widget: { allowed_origins: [], delivery: 'response', callback_base_url: null },
};

const noWords = { greeting: null, fallback_text: null, lang: null };

const addressNames = ['api_base_url', 'callback_base_url'] as const;

const subjectOf = (id: number): string => `bot:${id}`;

interface BotsParts {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly outbound: Outbound;
  readonly secrets: Secrets;
}

/** Bots as administrators keep them. */
export class Bots {
  readonly #parts: BotsParts;

  constructor(parts: BotsParts) {
    this.#parts = parts;
  }

  /** What nobody is shown, in clear; null where there is none, or where it was sealed in another installation. */
  secretOf({ configuration }: Bot, name: SecretName): string | null {
    return this.#parts.secrets.open(configuration[name]);
  }

  /** All of them: to be taken out of what a platform says. */
  secretsOf(bot: Bot): string[] {
    return secretNames[bot.kind].flatMap((name) => this.secretOf(bot, name) ?? []);
  }

  /** @throws `svctutor_bot_limit`, and 400 for addresses that may not be called */
  async create(call: Call, kind: Kind, given: Given): Promise<NewBot> {
    const { blog_id } = call.site;
    const made =
      kind !== 'social' && given[madeSecret[kind]] === undefined
        ? { [madeSecret[kind]]: randomBytes(32).toString('base64url') }
        : {};
    const before = { ...noWords, ...defaults[kind] } as Configuration;
    const configuration = this.#configured(call, kind, before, { ...given, ...made });
    const bot = await this.#parts.db.transaction(async (trx) => {
      await lockUntilCommit(trx, `svctutor_bot ${blog_id} ${kind}`);
      const there = await countBots(trx, blog_id, kind);
      if (there >= call.setting<number>('max_bots')) fail('svctutor_bot_limit');
      const enabled = given.enabled !== false;
      const bot = await insertBot(trx, { blog_id, kind, name: String(given.name), enabled, configuration });
      await this.#note(trx, call, 'create', bot, null, { name: bot.name, kind, enabled });
      return bot;
    });
    return { bot, made };
  }

  /** What is absent stays. @throws `svctutor_bot_not_found`, and 400 as `create` */
  change(call: Call, kind: Kind, id: number, given: Given): Promise<Bot> {
    return this.#parts.db.transaction(async (trx) => {
      const before = (await lockBot(trx, call.site.blog_id, kind, id)) ?? fail('svctutor_bot_not_found');
      const names = Object.keys(given).filter((name) => given[name] !== undefined);
      const bot = await updateBot(trx, id, {
        name: given.name === undefined ? before.name : String(given.name),
        enabled: given.enabled === undefined ? before.enabled : given.enabled === true,
        configuration: this.#configured(call, kind, before.configuration, given),
      });
      await this.#note(trx, call, 'update', bot, null, { changed: names });
      return bot;
    });
  }

  /** Its jobs end, too. @throws `svctutor_bot_not_found` */
  remove(call: Call, kind: Kind, id: number): Promise<Bot> {
    return this.#parts.db.transaction(async (trx) => {
      if (!(await hasBot(trx, call.site.blog_id, kind, id))) fail('svctutor_bot_not_found');
      // Jobs before their bot, as their steps do; then those of messages that came meanwhile.
      await this.#cancelJobs(trx, id);
      const bot = (await lockBot(trx, call.site.blog_id, kind, id)) ?? fail('svctutor_bot_not_found');
      await this.#cancelJobs(trx, id);
      await deleteBot(trx, id);
      await this.#note(trx, call, 'delete', bot, { name: bot.name, kind }, null);
      return bot;
    });
  }

  async #cancelJobs(trx: Knex.Transaction, id: number): Promise<void> {
    for (const jobId of await jobsOfBot(trx, id)) await this.#parts.jobs.cancelIn(trx, jobId);
  }

  async noteWebhook(call: Call, bot: Bot): Promise<void> {
    await this.#parts.db.transaction((trx) => this.#note(trx, call, 'set_webhook', bot, null, null));
  }

  #note(trx: Knex.Transaction, call: Call, action: string, { id }: Bot, from: unknown, to: unknown) {
    const entry = { module: 'svctutor_bot', action: `svctutor_bot.${action}`, subject: subjectOf(id) };
    return audit(trx, call, { ...entry, scope: 'site', from, to });
  }

  #configured(call: Call, kind: Kind, before: Configuration, given: Given): Configuration {
    const { name: _name, enabled: _enabled, ...rest } = given;
    const secret: readonly string[] = secretNames[kind];
    const entries = Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, this.#stored(call, name, value, secret.includes(name))]);
    const configuration = { ...before, ...Object.fromEntries(entries) } as Configuration;
    if (configuration.delivery === 'callback') refuseIncomplete(configuration);
    return configuration;
  }

  #stored(call: Call, name: string, value: unknown, isSecret: boolean): unknown {
    if (isSecret) return this.#parts.secrets.seal(String(value));
    if (name === 'lang' && value !== null) return canonicalTag(String(value));
    if (!addressNames.some((one) => one === name) || value === null) return value;
    const address = String(value);
    const problem = this.#parts.outbound.problem(call.state, address) ?? endProblem(address);
    if (problem !== null) invalidParams({ [name]: problem });
    return address.replace(/\/{1,9}$/, '');
  }
}

/** Something is put behind the address. */
const endProblem = (address: string): string | null =>
  /[?#]/.test(address) ? 'must have neither a query nor a fragment' : null;

/** Answers that are posted need to know where. */
function refuseIncomplete({ callback_base_url, provider_token }: Configuration): void {
  const missing = [
    ...(callback_base_url ? [] : ['callback_base_url']),
    ...(provider_token ? [] : ['provider_token']),
  ];
  if (missing.length === 0) return;
  fail('rest_missing_callback_param', {
    message: `Missing parameter(s): ${missing.join(', ')}`,
    data: { params: missing },
  });
}
