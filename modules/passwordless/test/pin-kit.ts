import {
  type Client,
  mailsTo,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestSite,
} from '@lyceum/core/testing';
import type { Test } from 'supertest';

const base = 'svc/passwordless/v1';

/** Asks and guesses from whatever address, on a host that works. */
export class PinKit {
  readonly lyceum: TestHost;
  #addresses = 0;

  constructor(lyceum: TestHost) {
    this.lyceum = lyceum;
  }

  static async start(options: TestHostOptions = {}): Promise<PinKit> {
    const config = { workers: 'inline', trustedProxies: ['127.0.0.1'], ...options.config } as const;
    return new PinKit(await startTestHost({ modules: ['passwordless'], ...options, config }));
  }

  /** A neighbourhood that nothing was counted for yet. */
  freshAddress(): string {
    this.#addresses += 1;
    return `10.${Math.floor(this.#addresses / 250)}.${this.#addresses % 250}.7`;
  }

  from(address: string, site?: TestSite): Client {
    return this.lyceum.as({ headers: { 'X-Forwarded-For': address } }, site);
  }

  request(login: unknown, site?: TestSite, address = this.freshAddress()): Test {
    return this.from(address, site).post(`${base}/request`, { login });
  }

  verify(login: unknown, pin: unknown, more: { site?: TestSite; address?: string; redirect?: unknown } = {}) {
    const { site, address = this.freshAddress(), ...redirect } = more;
    return this.from(address, site).post(`${base}/verify`, { login, pin, ...redirect });
  }

  /** Codes that were mailed to an address, when there are so many. */
  async pins(address: string, many: number): Promise<string[]> {
    return (await mailsTo(this.lyceum, address, many)).map(({ mail }) => pinIn(mail.text ?? ''));
  }

  /** Asks for a code and reads it. */
  async pin(user: { readonly login: string; readonly email: string }, site?: TestSite): Promise<string> {
    const before = (await mailsTo(this.lyceum, user.email, 0)).length;
    await this.request(user.login, site).expect(200);
    return (await this.pins(user.email, before + 1)).at(-1) ?? '';
  }
}

/** The one number of six digits in a mail. */
export function pinIn(text: string): string {
  const found = text.match(/\d{6}/g) ?? [];
  if (found.length !== 1) throw new Error(`A mail holds ${found.length} codes.`);
  return found[0] ?? '';
}

/** A code that is not this one. */
export const wrong = (pin: string, by = 1): string => String((Number(pin) + by) % 1_000_000).padStart(6, '0');
