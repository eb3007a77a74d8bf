import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Outbound, type OutboundRequest } from '../../core/outbound/outbound.ts';
import { OutboundError } from '../../core/outbound/outbound-error.ts';
import type { SiteState } from '../../core/state/site-state.ts';
import { State } from '../../core/state/state.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

describe('outbound: requests', () => {
  let lyceum: TestHost;
  let server: Server;
  let port: number;
  let requests: string[];
  let respond: (request: IncomingMessage, response: ServerResponse) => void;

  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      respond(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await lyceum.stop();
  });
  beforeEach(() => {
    requests = [];
    respond = (_request, response) => void response.end('hello');
  });

  const site = async (): Promise<SiteState> => (await lyceum.host.services.host(State).read(1)) as SiteState;
  const allow = (...entries: string[]): Promise<void> =>
    lyceum.make.settings('host', { outbound_allow: entries });
  const ask = async (asked: OutboundRequest) =>
    lyceum.host.services.host(Outbound).request(await site(), asked);
  const refusal = async (asked: OutboundRequest): Promise<string> => {
    try {
      await ask(asked);
      return 'no refusal';
    } catch (error) {
      expect(error).to.be.instanceOf(OutboundError);
      return (error as OutboundError).code;
    }
  };

  it('reaches nothing inside, in whatever spelling, and opens no connection', async () => {
    await allow();
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0x7f.0.0.1',
      '127.0.0.1.',
      '１２７.0.0.1',
      '0.0.0.0',
      '0',
      'localhost',
      'localhost.',
      'LOCALHOST',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[::]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
    ];
    for (const host of hosts) {
      expect(await refusal({ url: `http://${host}:${port}/` }), host).to.equal('outbound_forbidden');
    }
    expect(requests).to.deep.equal([]);
  });

  it('takes http and https without credentials only', async () => {
    await allow('127.0.0.1');
    for (const url of [
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'data:text/plain,x',
      `http://ann:secret@127.0.0.1:${port}/`,
      `http://ann@127.0.0.1:${port}/`,
      '//127.0.0.1/',
      'nonsense',
      '',
    ]) {
      expect(await refusal({ url }), url).to.equal('outbound_bad_url');
    }
    expect(requests).to.deep.equal([]);
  });

  it('reaches what outbound_allow names', async () => {
    const entries = ['127.0.0.1', `127.0.0.1:${port}`, '127.0.0.0/8', 'localhost', `localhost:${port}`];
    for (const entry of entries) {
      await allow(entry);
      const host = entry.startsWith('localhost') ? 'localhost' : '127.0.0.1';
      const answer = await ask({ url: `http://${host}:${port}/${host}` });
      expect(answer.body.toString(), entry).to.equal('hello');
    }
    await allow(`127.0.0.1:${port + 1}`, '10.0.0.0/8', 'example.org');
    expect(await refusal({ url: `http://127.0.0.1:${port}/` })).to.equal('outbound_forbidden');
  });

  it('sends method, headers and body, and gives back status and headers', async () => {
    await allow('127.0.0.1');
    respond = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(201, { 'X-Seen': String(request.headers['x-given']) });
        response.end(Buffer.concat(chunks));
      });
    };
    const answer = await ask({
      url: `http://127.0.0.1:${port}/path?q=1`,
      method: 'POST',
      headers: { 'X-Given': 'yes' },
      body: 'Привет',
    });
    expect(answer).to.deep.include({ status: 201, body: Buffer.from('Привет') });
    expect(answer.headers['x-seen']).to.equal('yes');
    expect(requests).to.deep.equal(['POST /path?q=1']);
  });

  it('follows no redirect', async () => {
    await allow('127.0.0.1');
    respond = (_request, response) => {
      response.writeHead(302, { Location: `http://127.0.0.1:${port}/elsewhere` });
      response.end();
    };
    const answer = await ask({ url: `http://127.0.0.1:${port}/` });
    expect(answer.status).to.equal(302);
    expect(requests).to.deep.equal(['GET /']);
  });

  it('ends an answer that is too large, announced or not', async () => {
    await allow('127.0.0.1');
    const url = `http://127.0.0.1:${port}/`;
    respond = (_request, response) => void response.end(Buffer.alloc(1001));
    expect(await refusal({ url, maxBytes: 1000 })).to.equal('outbound_too_large');
    respond = (_request, response) => {
      response.write(Buffer.alloc(600));
      response.write(Buffer.alloc(600));
    };
    expect(await refusal({ url, maxBytes: 1000 })).to.equal('outbound_too_large');
    respond = (_request, response) => void response.end(Buffer.alloc(1000));
    expect((await ask({ url, maxBytes: 1000 })).body).to.have.length(1000);
  });

  it('waits no longer than it may, for the head, for the rest, and through silence', async () => {
    await allow('127.0.0.1');
    const url = `http://127.0.0.1:${port}/`;
    respond = () => undefined;
    expect(await refusal({ url, timeoutMs: 50 })).to.equal('outbound_timeout');
    expect(await refusal({ url, silenceMs: 50 })).to.equal('outbound_timeout');
    respond = (_request, response) => void response.write('begun');
    expect(await refusal({ url, timeoutMs: 100 })).to.equal('outbound_timeout');
    expect(await refusal({ url, silenceMs: 100 })).to.equal('outbound_timeout');
  });

  it('stops when the caller wants it, and says when nobody is there', async () => {
    await allow('127.0.0.1');
    const controller = new AbortController();
    respond = () => controller.abort();
    const url = `http://127.0.0.1:${port}/`;
    expect(await refusal({ url, signal: controller.signal })).to.equal('outbound_aborted');
    respond = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('part');
      setImmediate(() => response.destroy());
    };
    expect(await refusal({ url })).to.equal('outbound_failed');
    expect(await refusal({ url: 'http://127.0.0.1:1/' })).to.equal('outbound_failed');
    expect(await refusal({ url: 'http://no-such-host.invalid/' })).to.equal('outbound_failed');
  });

  it('asks the name server once and connects to the address that was checked', async () => {
    const asked: string[] = [];
    const answers = ['127.0.0.1', '127.0.0.9'];
    const outbound = new Outbound({
      allowed: () => ['127.0.0.1'],
      lookup: async (host) => {
        asked.push(host);
        return [{ address: answers[asked.length - 1] ?? '', family: 4 }];
      },
    });
    const { body } = await outbound.request(await site(), { url: `http://rebind.test:${port}/` });
    expect(body.toString()).to.equal('hello');
    expect(asked).to.deep.equal(['rebind.test']);
    // The second answer of the name server is another one, and is checked as the first was.
    const second = outbound.request(await site(), { url: `http://rebind.test:${port}/` });
    const code = await second.then(
      () => 'no refusal',
      (error: OutboundError) => error.code,
    );
    expect(code).to.equal('outbound_forbidden');
    expect(requests).to.have.length(1);
  });

  it('refuses a name with one forbidden address among others', async () => {
    const outbound = new Outbound({
      allowed: () => [],
      lookup: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '::ffff:127.0.0.1', family: 6 },
      ],
    });
    const code = await outbound.request(await site(), { url: `http://both.test:${port}/` }).then(
      () => 'no refusal',
      (error: OutboundError) => error.code,
    );
    expect(code).to.equal('outbound_forbidden');
  });

  it('says why an address may not be saved', async () => {
    await allow();
    const outbound = lyceum.host.services.host(Outbound);
    const state = await site();
    expect(outbound.problem(state, 'https://api.example.org/v1')).to.equal(null);
    expect(outbound.problem(state, 'http://1.1.1.1/')).to.equal(null);
    for (const url of ['http://127.0.0.1:9000/v1', 'http://[::1]/', 'http://2130706433/', 'ftp://x/', 'x']) {
      expect(outbound.problem(state, url), url).to.be.a('string');
    }
    await allow('127.0.0.1');
    expect(outbound.problem(await site(), 'http://127.0.0.1:9000/v1')).to.equal(null);
  });

  it('is set for the network by who may, with hosts and ranges only', async () => {
    const admin = lyceum.as(await lyceum.make.admin());
    const own = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    const route = 'svc/host/v1/settings';
    const body = { network: { outbound_allow: ['10.0.0.0/8', 'models.internal:9000'] } };
    await own.patch(route, body).expect(403);
    const { body: after } = await admin.patch(route, body).expect(200);
    expect(after.network.outbound_allow).to.deep.equal(body.network.outbound_allow);
    const bad = await admin.patch(route, { network: { outbound_allow: ['http://x/'] } }).expect(400);
    expect(bad.body.data.params).to.have.property('network.outbound_allow');
  });
});
