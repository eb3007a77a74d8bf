import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import type { Nonces } from '../auth/nonces.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../files/storage.ts';
import type { Addresses } from '../http/addresses.ts';
import { ModuleData } from '../module-data/module-data.ts';
import type { Installed } from '../registry/installed.ts';
import type { Uses } from '../registry/uses.ts';
import { type Keys, Secrets } from '../settings/secrets.ts';
import type { SettingsService } from '../settings/settings.ts';
import { Clock } from './clock.ts';
import type { Services } from './container.ts';
import { offerContent } from './content-services.ts';
import { offerCopies } from './copy-services.ts';
import { offerMedia } from './media-services.ts';
import { ModuleHooks } from './module-hooks.ts';
import { offerOutbound } from './outbound-services.ts';
import { offerPeople } from './people-services.ts';
import { offerTenants } from './tenant-services.ts';

/** What the host's own services are made of. */
export interface HostParts {
  readonly config: Config;
  readonly db: Database;
  readonly keys: Keys;
  readonly nonces: Nonces;
  readonly storage: Storage;
  readonly settings: SettingsService;
  readonly addresses: Addresses;
  /** Every installed module; declarations of post types, taxonomies, meta and listeners are read from it. */
  readonly installed: Installed;
  readonly services: Services;
  readonly uses: Uses;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Offers the services that modules share: people, content, files. One line each. */
export function offerHostServices(parts: HostParts): void {
  const { services, keys, now } = parts;
  services.offer(Clock, new Clock(now));
  services.offer(Secrets, new Secrets(keys.derive('records')));
  services.offer(ModuleHooks, new ModuleHooks(parts.installed, services, parts.log));
  offerPeople(parts);
  offerContent(parts);
  offerMedia(parts);
  offerTenants(parts);
  offerCopies(parts);
  offerOutbound(parts);
  services.offer(ModuleData, new ModuleData());
}
