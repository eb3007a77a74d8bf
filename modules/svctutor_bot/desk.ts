import type { Kind } from './bot.ts';

/** Where bots of a kind are kept and called. */
export interface Desk {
  readonly kind: Kind;
  readonly namespace: string;
  readonly collection: 'bots' | 'channels';
  /** The route that the platform calls, below the namespace. */
  readonly inbound: string;
  /** One bot, in words. */
  readonly one: string;
}

export const desks: Readonly<Record<Kind, Desk>> = {
  messenger: {
    kind: 'messenger',
    namespace: 'svctutor-bot/messenger/v1',
    collection: 'bots',
    inbound: 'webhook',
    one: 'bot of a messenger',
  },
  social: {
    kind: 'social',
    namespace: 'svctutor-bot/social/v1',
    collection: 'channels',
    inbound: 'callback',
    one: 'bot of a community',
  },
  chat_widget: {
    kind: 'chat_widget',
    namespace: 'svctutor-bot/chat-widget/v1',
    collection: 'channels',
    inbound: 'chat',
    one: 'chat of a website',
  },
};
