import {
  Addresses,
  Clock,
  Database,
  Outbound,
  type Provide,
  type Provider,
  Secrets,
  SettingsService,
  Sites,
  State,
} from '@lyceum/core';
import { Activation } from './activation.ts';
import { Checks } from './checks.ts';
import { Licenses } from './licenses.ts';
import { Places } from './places.ts';
import { Release } from './release.ts';
import { LicenseServer } from './server/license-server.ts';
import { Shelf } from './shelf.ts';
import { Versions } from './versions.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(
    Places,
    [Sites, State, SettingsService, Addresses],
    (sites, state, settings, addresses) => new Places({ sites, state, settings, addresses }),
  ),
  provide(LicenseServer, [Outbound], (outbound) => new LicenseServer(outbound)),
  provide(Shelf, [Database, Clock, Places], (db, clock, places) => new Shelf(db, clock, places)),
  provide(
    Release,
    [Database, LicenseServer, Secrets, Clock],
    (db, server, secrets, clock) => new Release({ db, server, secrets, clock }),
  ),
  provide(
    Activation,
    [Database, LicenseServer, Secrets, Release, Clock, Places],
    (db, server, secrets, release, clock, places) =>
      new Activation({ db, server, secrets, release, clock, products: () => places.products }),
  ),
  provide(
    Checks,
    [Database, LicenseServer, Secrets, Clock, Places],
    (db, server, secrets, clock, places) =>
      new Checks({ db, server, secrets, clock, products: () => places.products }),
  ),
  provide(
    Versions,
    [Database, LicenseServer, Secrets, Clock],
    (db, server, secrets, clock) => new Versions({ db, server, secrets, clock }),
  ),
  provide(
    Licenses,
    [State, Places, Shelf, Clock],
    (state, places, shelf, clock) => new Licenses(state, places, shelf, clock),
  ),
];
