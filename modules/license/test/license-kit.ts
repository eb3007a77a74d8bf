import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestHost } from '@lyceum/core/testing';

export const route = 'svc/license/v1';

/** A license record as clients see it. */
export interface LicenseRecord {
  readonly product_id: string;
  readonly status: string;
  readonly valid: boolean;
  readonly license_key: string | null;
  readonly seats: { readonly limit: number; readonly used: number | null; readonly left: number | null };
  readonly [field: string]: unknown;
}

/** What the server was asked: the fields of the form. */
export type Asked = Readonly<Record<string, string>>;

interface Sold {
  readonly item_id: string;
  readonly limit: number;
  expires: string;
  status: 'active' | 'disabled';
  readonly sites: Set<string>;
}

type Respond = (asked: Asked, response: ServerResponse) => unknown;

/** A license server on loopback that behaves as Easy Digital Downloads does, its odd types included. */
export class EddServer {
  readonly asked: Asked[] = [];
  readonly sold = new Map<string, Sold>();
  /** Takes the place of the usual answers. */
  respond: Respond | null = null;
  readonly #server: Server;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
        this.asked.push(asked);
        if (this.respond) this.respond(asked, response);
        else json(response, this.#answer(asked));
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Listens, again on the same port after a stop. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  reset(): void {
    this.asked.length = 0;
    this.sold.clear();
    this.respond = null;
  }

  sell(key: string, sold: Partial<Omit<Sold, 'sites'>> = {}): Sold {
    const license: Sold = {
      item_id: '1001',
      limit: 5,
      expires: '2031-01-01 00:00:00',
      status: 'active',
      ...sold,
      sites: new Set(),
    };
    this.sold.set(key, license);
    return license;
  }

  actions(): string[] {
    return this.asked.map(({ edd_action }) => edd_action ?? '');
  }

  #answer(asked: Asked): object {
    const { edd_action, item_id = '', item_name, license: key = '' } = asked;
    if (edd_action === 'get_version') return version(key);
    const sold = this.sold.get(key);
    const common = {
      item_id: Number(item_id),
      item_name,
      checksum: createHash('md5').update(key).digest('hex'),
    };
    if (edd_action === 'activate_license') return { ...common, ...activated(sold, asked), ...factsOf(sold) };
    if (edd_action === 'deactivate_license') return { ...common, ...deactivated(sold, asked) };
    return { ...common, ...checked(sold, asked), ...factsOf(sold) };
  }
}

const factsOf = (sold: Sold | undefined): object =>
  sold
    ? {
        expires: sold.expires,
        payment_id: 54224,
        customer_name: 'Ann Doe',
        customer_email: 'ann@example.org',
        license_limit: sold.limit,
        site_count: sold.sites.size,
        activations_left: sold.limit > 0 ? sold.limit - sold.sites.size : 'unlimited',
        price_id: false,
      }
    : {};

const isExpired = ({ expires }: Sold): boolean =>
  expires !== 'lifetime' && new Date(`${expires}Z`) < new Date();

function refusalOf(sold: Sold | undefined, { item_id, url = '' }: Asked): string | null {
  if (!sold) return 'missing';
  if (sold.status === 'disabled') return 'disabled';
  if (sold.limit > 0 && sold.sites.size >= sold.limit && !sold.sites.has(url)) return 'no_activations_left';
  if (isExpired(sold)) return 'expired';
  return sold.item_id === item_id ? null : 'invalid_item_id';
}

function activated(sold: Sold | undefined, asked: Asked): object {
  const error = refusalOf(sold, asked);
  if (error !== null) return { success: false, license: 'invalid', error };
  sold?.sites.add(asked.url ?? '');
  return { success: true, license: 'valid' };
}

/** Here the time is seconds since 1970, and nothing that has expired is released. */
function deactivated(sold: Sold | undefined, { url = '' }: Asked): object {
  const done = sold !== undefined && !isExpired(sold) && sold.sites.delete(url);
  return { success: done, license: done ? 'deactivated' : 'failed', expires: 1_924_992_000 };
}

function checked(sold: Sold | undefined, { url = '' }: Asked): object {
  if (!sold) return { success: false, license: 'invalid' };
  if (isExpired(sold)) return { success: true, license: 'expired' };
  if (sold.status === 'disabled') return { success: true, license: 'disabled' };
  return { success: true, license: sold.sites.has(url) ? 'valid' : 'site_inactive' };
}

function version(key: string): object {
  const texts = ['description', 'LMS', 'changelog', '<h4>2.1 — naïve</h4>'];
  const sections = texts.map((text) => `s:${Buffer.byteLength(text)}:"${text}";`);
  return {
    new_version: '2.1.0',
    stable_version: '2.1.0',
    name: 'SVC LMS',
    homepage: 'https://example.org/lms',
    package: `https://example.org/edd-sl/package_download/${key}`,
    download_link: `https://example.org/edd-sl/package_download/${key}`,
    tested: '6.4',
    sections: `a:2:{${sections.join('')}}`,
  };
}

export function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Signs keys that need no server. */
export class Vendor {
  readonly #privateKey: KeyObject;
  /** Raw, in hex. */
  readonly publicKey: string;
  /** SPKI DER, in base64. */
  readonly publicKeyDer: string;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const der = publicKey.export({ format: 'der', type: 'spki' });
    this.#privateKey = privateKey;
    this.publicKeyDer = der.toString('base64');
    this.publicKey = der.subarray(-32).toString('hex');
  }

  key(claims: Readonly<Record<string, unknown>> = {}): string {
    return this.sign(
      JSON.stringify({
        v: 1,
        id: 'lic-1',
        product: 'svclms',
        name: 'Bea Roe',
        email: 'bea@example.org',
        issued: '2026-01-01T00:00:00Z',
        expires: '2031-01-01T00:00:00Z',
        seats: 2,
        hosts: null,
        ...claims,
      }),
    );
  }

  sign(payload: string | Buffer): string {
    const signed = `key/${Buffer.from(payload).toString('base64url')}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#privateKey).toString('base64url')}`;
  }
}

/** Lets the network call the server, and names it. */
export async function useServer(lyceum: TestHost, server: EddServer): Promise<void> {
  await lyceum.make.settings('host', { outbound_allow: [server.host] });
  await lyceum.make.settings('license', { server_url: server.url });
}

export async function forgetLicenses({ host: { db } }: TestHost): Promise<void> {
  for (const table of [
    'licenses',
    'license_seats',
    'license_turns',
    'license_versions',
    'rate_limits',
    'audit_log',
  ]) {
    await db.knex(table).delete();
  }
}
