import type { Outbound, SiteState } from '@lyceum/core';
import type { Bot, SecretName } from '../bot.ts';
import type { Bots } from '../bots.ts';
import type { Message, Reply } from '../message.ts';
import { callbackRequest, judgeCallback } from './callback.ts';
import { callPlatform, type PlatformAnswer } from './platform-call.ts';
import { clearOf, SendProblem } from './send-problem.ts';
import { mostUnits, splitText } from './split-text.ts';
import { judgeTelegram, telegramRequest } from './telegram.ts';
import { judgeVk, vkRequest } from './vk.ts';

/** A part of an answer, numbered from 0. */
export interface Part {
  readonly message: Message;
  readonly reply: Reply;
  readonly text: string;
  readonly part: number;
}

type Request = Parameters<typeof callPlatform>[2];

/** Hands answers to platforms. */
export class Sender {
  readonly #outbound: Outbound;
  readonly #bots: Bots;

  constructor(outbound: Outbound, bots: Bots) {
    this.#outbound = outbound;
    this.#bots = bots;
  }

  /** What is sent for an answer, one after another; nothing where the platform comes for it. */
  partsOf({ kind, configuration }: Bot, text: string): string[] {
    if (kind === 'chat_widget') return configuration.delivery === 'callback' ? [text] : [];
    return splitText(text, mostUnits);
  }

  /** @throws SendProblem, with a text that has no secret of the bot in it */
  async send(site: SiteState, bot: Bot, part: Part): Promise<void> {
    try {
      const answer = await callPlatform(this.#outbound, site, this.#requestFor(bot, part));
      judges[bot.kind](answer);
    } catch (error) {
      if (!(error instanceof SendProblem)) throw error;
      throw new SendProblem(
        clearOf(error.message, this.#bots.secretsOf(bot)),
        error.mayPass,
        error.retryAfter,
      );
    }
  }

  /** Posts something else to the platform of a bot. @throws SendProblem */
  ask(site: SiteState, request: Request): Promise<PlatformAnswer> {
    return callPlatform(this.#outbound, site, request);
  }

  #requestFor(bot: Bot, part: Part): Request {
    const { configuration } = bot;
    const baseUrl = configuration.api_base_url ?? '';
    if (bot.kind === 'messenger') return telegramRequest(baseUrl, this.#secret(bot, 'token'), part);
    if (bot.kind === 'social') {
      const version = configuration.api_version ?? '';
      return vkRequest({ baseUrl, version, token: this.#secret(bot, 'access_token') }, part);
    }
    const token = this.#secret(bot, 'provider_token');
    return callbackRequest(configuration.callback_base_url ?? '', token, part.message, part.reply);
  }

  #secret(bot: Bot, name: SecretName): string {
    const secret = this.#bots.secretOf(bot, name);
    if (secret === null) throw new SendProblem('The token of the bot cannot be read.', false);
    return secret;
  }
}

const judges = { messenger: judgeTelegram, social: judgeVk, chat_widget: judgeCallback };
