import { lookup } from 'node:dns/promises';
import { Outbound } from '../outbound/outbound.ts';
import { HostSettings } from '../settings/host-settings.ts';
import type { HostParts } from './host-services.ts';

/** Offers requests to servers outside, as the setting `outbound_allow` of the site's network has it. */
export function offerOutbound({ services, installed, settings }: HostParts): void {
  const hostSettings = new HostSettings(installed, settings);
  services.offer(
    Outbound,
    new Outbound({
      allowed: (site) => hostSettings.value<readonly string[]>(site, 'outbound_allow'),
      lookup: (host) => lookup(host, { all: true, verbatim: true }),
    }),
  );
}
