import type { Operation } from '@lyceum/core';
import { kinds } from '../bot.ts';
import { desks } from '../desk.ts';
import { askChatOrigin } from './ask-chat-origin.ts';
import { changeBot } from './change-bot.ts';
import { createBot } from './create-bot.ts';
import { deleteBot } from './delete-bot.ts';
import { getBot } from './get-bot.ts';
import { listBots } from './list-bots.ts';
import { listMessages } from './list-messages.ts';
import { receiveChat } from './receive-chat.ts';
import { receiveEvent } from './receive-event.ts';
import { receiveUpdate } from './receive-update.ts';
import { setWebhook } from './set-webhook.ts';

const ofEachKind = [listBots, createBot, getBot, changeBot, deleteBot, listMessages];

export const operations: readonly Operation[] = [
  ...kinds.flatMap((kind) => ofEachKind.map((operation) => operation(desks[kind]))),
  ...[setWebhook, receiveUpdate, receiveEvent, receiveChat, askChatOrigin],
];
