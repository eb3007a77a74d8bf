import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { endedBy, OutboundError } from './outbound-error.ts';

/** An IP address with its family, 4 or 6. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** A request whose target was checked. */
export interface CheckedRequest {
  readonly url: URL;
  readonly addresses: readonly ResolvedAddress[];
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly silenceMs: number | null;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** An answer whose body is still on its way. */
export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Throws `OutboundError` when it breaks, is late, or has too many bytes. */
  readonly body: AsyncIterable<Buffer>;
}

/** What ended an exchange from our side; the socket's own error says nothing of it. */
interface Ending {
  error: OutboundError | null;
}

/** Sends the request to one of its checked addresses, on a connection of its own. */
export async function openRequest(asked: CheckedRequest): Promise<Opened> {
  const ending: Ending = { error: null };
  const response = await send(asked, ending);
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > asked.maxBytes && asked.method !== 'HEAD') {
    response.destroy();
    throw tooLarge();
  }
  const { statusCode, headers } = response;
  return { status: statusCode ?? 0, headers, body: counted(response, asked, ending) };
}

function send(asked: CheckedRequest, ending: Ending): Promise<IncomingMessage> {
  const { url, addresses, method, headers, body, silenceMs, signal } = asked;
  const options: RequestOptions = {
    method,
    // Bodies are taken as they are: nobody unpacks an answer that is larger than it looks.
    headers: { 'accept-encoding': 'identity', ...headers },
    // A kept connection would be found by its name, whatever address that name had been checked for.
    agent: false,
    // So given it counts from the beginning: a server that takes no connection is as silent as one that says nothing.
    ...(silenceMs === null ? {} : { timeout: silenceMs }),
    lookup: (_host, { all }, callback) => {
      const [first] = addresses;
      if (all) callback(null, [...addresses]);
      else callback(null, first?.address ?? '', first?.family);
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, resolve);
    request.on('timeout', () => {
      ending.error = new OutboundError('outbound_timeout', 'The server fell silent.');
      request.destroy();
    });
    request.on('error', (error) => reject(problemOf(error, signal, ending)));
    request.end(body);
  });
}

async function* counted(response: IncomingMessage, { maxBytes, signal }: CheckedRequest, ending: Ending) {
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw problemOf(error, signal, ending);
  } finally {
    response.destroy();
  }
}

const tooLarge = (): OutboundError => new OutboundError('outbound_too_large', 'The answer is too large.');

function problemOf(error: unknown, signal: AbortSignal, { error: own }: Ending): OutboundError {
  if (own) return own;
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return endedBy(signal);
  return new OutboundError('outbound_failed', 'The server could not be reached, or broke off.', error);
}
