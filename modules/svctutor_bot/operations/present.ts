import { Addresses, type Call, SettingsService } from '@lyceum/core';
import type { Bot } from '../bot.ts';
import { presentBot } from '../bot-record.ts';
import { desks } from '../desk.ts';

/** Where the platform reaches the bot: below the domain that the site is stored under. */
export function callbackUrlOf(call: Call, { kind, id }: Bot): string {
  const { namespace, inbound } = desks[kind];
  return call.get(Addresses).route(call.site, `${namespace}/${inbound}/${id}`);
}

export function siteLangOf(call: Call): string {
  const host = call.state.modules.get('host')?.spec;
  return host ? String(call.get(SettingsService).value(host, 'default_lang', call.state)) : 'en';
}

/** A bot as its administrators see it. */
export const shownBot = (call: Call, bot: Bot): Readonly<Record<string, unknown>> =>
  presentBot(bot, { callbackUrl: callbackUrlOf(call, bot), siteLang: siteLangOf(call) });
