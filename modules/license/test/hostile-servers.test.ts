import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { json, route } from './license-kit.ts';
import { useWorld } from './world.ts';

const key = '0123456789abcdef0123456789abcdef';
const granted = { success: true, license: 'valid', expires: '2031-01-01 00:00:00' };

type Answer = (response: ServerResponse) => void;

const broken: Readonly<Record<string, Answer>> = {
  HTML: (response) => void response.end('<html><body>Maintenance</body></html>'),
  nothing: (response) => void response.end(),
  'an array': (response) => void response.end('[{"success":true,"license":"valid"}]'),
  'a text': (response) => void response.end('"valid"'),
  null: (response) => void response.end('null'),
  'an object that says nothing': (response) => void response.end('{"maintenance":true}'),
  'half of an object': (response) => void response.end('{"success":true,"license":"val'),
  'status 500': (response) => json(response, granted, 500),
  'status 403': (response) => json(response, granted, 403),
  'status 204': (response) => void response.writeHead(204).end(),
  'more than 64 kB': (response) => json(response, { ...granted, x: 'x'.repeat(65_536) }),
  'more than 64 kB, of unknown length': (response) => {
    response.write(`{"success":true,"license":"valid","x":"${'x'.repeat(60_000)}`);
    response.end(`${'x'.repeat(10_000)}"}`);
  },
  'an end midway': (response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write(JSON.stringify(granted), () => response.destroy());
  },
  'no word': (response) => void response.destroy(),
  'no HTTP': (response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'),
  'a packed body': (response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    response.end(Buffer.from('1f8b0800000000000003', 'hex'));
  },
};

describe('license: servers that are broken or lie', () => {
  const world = useWorld();

  for (const [name, answer] of Object.entries(broken)) {
    it(`${name}: no activation, and grace for who has a license`, async () => {
      world.server.respond = (_asked, response) => answer(response);
      const { body } = await world.activate(key).expect(502);
      expect(body.code).to.equal('license_server_unreachable');
      expect(JSON.stringify(body)).to.not.include(world.server.host).and.not.include(key);
      world.server.respond = (_asked, response) => json(response, granted);
      await world.activate(key).expect(200);
      world.server.respond = (_asked, response) => answer(response);
      const seen = await world.refreshed();
      expect(seen).to.include({ status: 'grace', valid: true, expires: '2031-01-01T00:00:00Z' });
      expect(seen.error).to.include({ code: 'license_server_unreachable' });
      expect((await world.admin.get(`${route}/svclms/data`).expect(200)).body.version).to.equal(null);
    });
  }

  it('a redirect is not followed, wherever it leads', async () => {
    let reached = 0;
    const inner = createServer((_request, response) => {
      reached += 1;
      json(response, granted);
    });
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
    const { port } = inner.address() as AddressInfo;
    for (const status of [301, 302, 303, 307, 308]) {
      world.server.respond = (_asked, response) => {
        response.writeHead(status, { Location: `http://127.0.0.1:${port}/` });
        response.end(JSON.stringify(granted));
      };
      await world.activate(key).expect(502);
    }
    expect(reached).to.equal(0);
    inner.close();
  });

  it('an address inside is not called once nobody allows it', async () => {
    world.server.respond = (_asked, response) => json(response, granted);
    await world.activate(key).expect(200);
    await world.lyceum.make.settings('host', { outbound_allow: [] });
    world.server.asked.length = 0;
    expect((await world.activate(key).expect(502)).body.code).to.equal('license_server_unreachable');
    expect(await world.refreshed()).to.include({ status: 'grace' });
    expect(world.server.asked).to.deep.equal([]);
  });

  it('odd facts are taken for unknown ones', async () => {
    const odd: readonly (readonly [object, object])[] = [
      [{ expires: '2031-02-30 00:00:00' }, { expires: null, lifetime: false }],
      [{ expires: '0000-00-00 00:00:00' }, { expires: null, lifetime: false }],
      [{ expires: '99999-01-01 00:00:00' }, { expires: null, lifetime: false }],
      [{ expires: 1_924_992_000 }, { expires: '2031-01-01T00:00:00Z' }],
      [{ expires: '1924992000' }, { expires: '2031-01-01T00:00:00Z' }],
      [{ expires: 1e308 }, { expires: null }],
      [{ expires: ['lifetime'] }, { expires: null, lifetime: false }],
      [
        { customer_name: { toString: 'x' }, customer_email: 7 },
        { customer_name: null, customer_email: null },
      ],
      [{ customer_name: 'a\0b\ud800' }, { customer_name: 'ab\ufffd' }],
      [{ customer_name: `<${key}>` }, { customer_name: '<****cdef>' }],
    ];
    for (const [facts, shown] of odd) {
      world.server.respond = (_asked, response) => json(response, { ...granted, ...facts });
      await world.lyceum.host.db.knex('rate_limits').delete();
      expect((await world.activate(key).expect(200)).body, JSON.stringify(facts)).to.include(shown);
    }
    const seats: readonly (readonly [object, object])[] = [
      [
        { license_limit: '3', site_count: '4', activations_left: '-1' },
        { limit: 3, used: 4, left: 0 },
      ],
      [
        { license_limit: 0, site_count: 9, activations_left: 'unlimited' },
        { limit: 0, used: 9, left: null },
      ],
      [
        { license_limit: 1e30, site_count: 1.5, activations_left: '1e3' },
        { limit: 2_147_483_647, used: null, left: null },
      ],
      [
        { license_limit: [], site_count: {}, activations_left: null },
        { limit: 0, used: null, left: null },
      ],
      [
        { site_count: 2, activations_left: 3 },
        { limit: 5, used: 2, left: 3 },
      ],
    ];
    for (const [facts, shown] of seats) {
      world.server.respond = (_asked, response) => json(response, { ...granted, ...facts });
      expect((await world.activate(key).expect(200)).body.seats, JSON.stringify(facts)).to.deep.equal(shown);
    }
  });

  it('an answer that is a trap is kept without its teeth', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, at])));
    const texts = '"n":"\\u0000\\ud800","license_key":"secret-1","checksum":"secret-2","package":"secret-3"';
    world.server.respond = (_asked, response) =>
      response.end(
        `\ufeff{"success":true,"license":"valid","__proto__":{"valid":true},"deep":${deep},"wide":${wide},"big":1e400,` +
          `${texts},"nested":{"download_link":"secret-4","echo":"=${key}="}}`,
      );
    await world.activate(key).expect(200);
    const { body } = await world.admin.get(`${route}/svclms/data`).expect(200);
    expect(body.server).to.include({ success: true, license: 'valid', n: '\ufffd' });
    expect(body.server.nested).to.deep.equal({ echo: '=****cdef=' });
    expect(Object.keys(body.server.wide)).to.have.length(100);
    expect(JSON.stringify(body)).to.not.match(/secret-|__proto__/);
  });

  it('a server that never answers costs 10 s, and nobody else anything', async () => {
    const began = performance.now();
    const heard = new Promise<void>((resolve) => {
      world.server.respond = () => resolve();
    });
    const waiting = world.activate(key).then((answer) => answer);
    await heard;
    expect((await world.activate('another-key').expect(409)).body.code).to.equal('license_busy');
    expect((await world.admin.post(`${route}/svclms/deactivate`, {}).expect(200)).body.status).to.equal(
      'inactive',
    );
    for (const path of ['products', 'svclms/status']) {
      const asked = performance.now();
      await world.admin.get(`${route}/${path}`).expect(200);
      expect(performance.now() - asked).to.be.below(1_000);
    }
    const { status, body } = await waiting;
    expect([status, body.code]).to.deep.equal([502, 'license_server_unreachable']);
    expect(performance.now() - began).to.be.within(9_900, 12_000);
    world.server.respond = (_asked, response) => json(response, granted);
    await world.activate(key).expect(200);
  });

  it('a server that drips its answer costs 10 s too', async () => {
    const began = performance.now();
    world.server.respond = (_asked, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    };
    await world.activate(key).expect(502);
    expect(performance.now() - began).to.be.within(9_900, 12_000);
  });
});
