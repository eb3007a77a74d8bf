import { isPlainObject, type Outbound, OutboundError } from '@lyceum/core';
import type { Place } from '../places.ts';
import type { Patience } from './patience.ts';

/** What license servers can be asked. */
export type ServerAction = 'activate_license' | 'deactivate_license' | 'check_license' | 'get_version';

/** Bytes of an answer. */
const longestAnswer = 64 * 1024;

/** No usable answer came. The message names neither address nor key. */
export class ServerUnreachable extends Error {
  readonly code: 'license_server_unreachable' | 'license_server_not_configured';

  constructor(code: ServerUnreachable['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** An answer as it came: any JSON object. */
export type RawAnswer = Readonly<Record<string, unknown>>;

/** The wire of license servers: the Software Licensing API of Easy Digital Downloads. */
export class LicenseServer {
  readonly #outbound: Outbound;

  constructor(outbound: Outbound) {
    this.#outbound = outbound;
  }

  /**
   * @param url the address that the seat is for
   * @throws ServerUnreachable
   */
  async ask(
    { product, settings, state }: Place,
    action: ServerAction,
    about: { readonly key: string; readonly url: string },
    patience: Patience,
  ): Promise<RawAnswer> {
    if (settings.server_url === '') {
      throw new ServerUnreachable('license_server_not_configured', 'No license server is configured.');
    }
    const form = new URLSearchParams({
      edd_action: action,
      item_id: String(product.item_id),
      item_name: product.item_name,
      license: about.key,
      url: about.url,
      environment: 'production',
    });
    try {
      const { status, body } = await this.#outbound.request(state, {
        url: settings.server_url,
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
        body: form.toString(),
        timeoutMs: patience.milliseconds,
        maxBytes: longestAnswer,
      });
      // A redirect is none either: who follows one sends the key to somebody else.
      if (status < 200 || status > 299)
        throw unreachable(`The license server answered with status ${status}.`);
      return readObject(body);
    } catch (error) {
      if (error instanceof OutboundError) throw unreachable(error.message);
      throw error;
    }
  }
}

/** An answer that is an object, but not about the license. */
export const saidNothing = (): ServerUnreachable =>
  unreachable('The license server said nothing of the license.');

const unreachable = (message: string): ServerUnreachable =>
  new ServerUnreachable('license_server_unreachable', message);

function readObject(body: Buffer): RawAnswer {
  let read: unknown;
  try {
    read = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw unreachable('The license server did not answer with JSON.');
  }
  if (!isPlainObject(read)) throw unreachable('The license server did not answer with a JSON object.');
  return read;
}
