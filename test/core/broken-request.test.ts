import { connect } from 'node:net';
import { expect } from 'chai';
import { startTestHost, type TestHost } from '../kit/index.ts';

/** What the server says to these bytes before it ends the connection. */
function said(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('end', () => resolve(text)).once('error', reject);
  });
}

describe('what is no request', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  const cases: readonly (readonly [string, string, number, string])[] = [
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'rest_bad_request'],
    [
      'two lengths',
      'POST /api/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'rest_bad_request',
    ],
    [
      'a NUL in a header',
      'GET /api/ HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n',
      400,
      'rest_bad_request',
    ],
    ['no Host', 'GET /api/ HTTP/1.1\r\nConnection: close\r\n\r\n', 404, 'site_not_found'],
    [
      'an unknown expectation',
      'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nExpect: nothing\r\nConnection: close\r\n\r\n',
      404,
      'rest_no_route',
    ],
    [
      'an address of 100 kB',
      `GET /api/?a=${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      431,
      'rest_head_too_large',
    ],
  ];
  for (const [name, bytes, status, code] of cases) {
    it(`is answered with the error body of every failure: ${name}`, async () => {
      const text = await said(lyceum.host.port, bytes);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).to.match(/^content-type: application\/json; charset=utf-8\r$/im);
      expect(head).to.match(/^x-request-id: [0-9a-f-]{36}\r$/im);
      expect(JSON.parse(body)).to.deep.include({ code, data: { status } });
    });
  }
});
