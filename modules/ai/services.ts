import {
  Database,
  ErrorMapper,
  Outbound,
  type Provide,
  type Provider,
  SettingsService,
  State,
} from '@lyceum/core';
import { Answerers } from './answerers.ts';
import { Conversations } from './conversation/conversations.ts';
import { ChatProvider } from './provider/chat-provider.ts';
import { Sources } from './sources.ts';
import { Tutor } from './tutor.ts';

const providerLimits = { silenceMs: 30_000, wholeMs: 120_000 };

export const services = (provide: Provide): readonly Provider[] => [
  provide(Sources, [], () => new Sources()),
  provide(ChatProvider, [Outbound], (outbound) => new ChatProvider(outbound, providerLimits)),
  provide(Conversations, [Database], (db) => new Conversations(db)),
  provide(
    Answerers,
    [Database, Sources, ChatProvider],
    (db, sources, provider) => new Answerers({ db, sources, provider }),
  ),
  provide(
    Tutor,
    [State, SettingsService, Conversations, Answerers, ErrorMapper],
    (state, settings, conversations, answerers, errors) =>
      new Tutor({ state, settings, conversations, answerers, errors }),
  ),
];
