import { Database, Jobs, Outbound, type Provide, type Provider, Secrets } from '@lyceum/core';
import { Bots } from './bots.ts';
import { Inbox } from './inbound/inbox.ts';
import { Sender } from './sending/sender.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(
    Bots,
    [Database, Jobs, Outbound, Secrets],
    (db, jobs, outbound, secrets) => new Bots({ db, jobs, outbound, secrets }),
  ),
  provide(Inbox, [Database, Jobs], (db, jobs) => new Inbox(db, jobs)),
  provide(Sender, [Outbound, Bots], (outbound, bots) => new Sender(outbound, bots)),
];
