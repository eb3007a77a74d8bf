import { type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';
import { EddServer, forgetLicenses, type LicenseRecord, route, useServer, Vendor } from './license-kit.ts';

/** A host with the module, a license server beside it, and a clock that the test sets. */
export class World {
  readonly server = new EddServer();
  readonly vendor = new Vendor();
  now = new Date();
  #lyceum: TestHost | null = null;
  #admin: Client | null = null;
  readonly #before: (() => Promise<void>)[] = [];

  get lyceum(): TestHost {
    if (!this.#lyceum) throw new Error('The host has not been started.');
    return this.#lyceum;
  }

  /** The first super admin. */
  get admin(): Client {
    if (!this.#admin) throw new Error('The host has not been started.');
    return this.#admin;
  }

  async start(options: TestHostOptions): Promise<void> {
    await this.server.start();
    this.#lyceum = await startTestHost({ modules: ['license'], now: () => this.now, ...options });
    this.#admin = this.#lyceum.as(await this.#lyceum.make.admin());
  }

  /** What is to be stopped before the host is. */
  atEnd(work: () => Promise<void>): void {
    this.#before.push(work);
  }

  async stop(): Promise<void> {
    for (const work of this.#before) await work();
    await this.server.stop();
    await this.lyceum.stop();
  }

  /** No licenses, no answers of its own of the server, which the network calls, and settings as at first. */
  async reset(): Promise<void> {
    this.now = new Date();
    this.server.reset();
    await forgetLicenses(this.lyceum);
    await useServer(this.lyceum, this.server);
    await this.lyceum.make.settings('license', {
      grace_days: null,
      check_interval_hours: null,
      allow_site_licenses: null,
      public_keys: [this.vendor.publicKey],
    });
  }

  activate(license_key: string, product = 'svclms') {
    return this.admin.post(`${route}/${product}/activate`, { license_key });
  }

  async status(query = ''): Promise<LicenseRecord> {
    return (await this.admin.get(`${route}/svclms/status${query}`).expect(200)).body as LicenseRecord;
  }

  /** The status after a check: 10 s later, as nobody is let to check sooner. */
  async refreshed(query = ''): Promise<LicenseRecord> {
    this.now = new Date(this.now.getTime() + 10_000);
    return this.status(`?refresh=true${query}`);
  }

  /** Why a key is refused. */
  async reasonOf(license_key: string, product = 'svclms'): Promise<string> {
    const { status, body } = await this.activate(license_key, product);
    if (status !== 403 || body.code !== 'license_refused')
      throw new Error(`Not refused: ${status} ${body.code}`);
    return body.data.reason as string;
  }
}

/** A world for the tests of one suite. */
export function useWorld(options: TestHostOptions = {}): World {
  const world = new World();
  before(() => world.start(options));
  beforeEach(() => world.reset());
  after(() => world.stop());
  return world;
}
