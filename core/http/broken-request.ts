import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { hostErrors } from '../api/host-errors.ts';

/** What Node's parser says of a request that it could not read, as one of the host's codes. */
function codeOf(
  error: NodeJS.ErrnoException,
): 'rest_bad_request' | 'rest_head_too_large' | 'rest_request_timeout' {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'rest_head_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'rest_request_timeout';
  return 'rest_bad_request';
}

/**
 * Answers what never became a request (no HTTP, an address or headers over 16 KiB, headers that never end) with
 * the error body of every other failure. Listens to `clientError` of the server.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A client that is gone, or an answer that has begun: nothing can be said any more.
  const begun = (socket as { _httpMessage?: { headersSent?: boolean } | null })._httpMessage?.headersSent;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const code = codeOf(error);
  const { status, message } = hostErrors[code];
  const body = JSON.stringify({ code, message, data: { status } });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
