import { expect } from 'chai';
import { startTestHost, type TestHost, testModules } from '../kit/index.ts';

const route = 'test/probe/v1/items';
const friend = 'https://app.example';

describe('origins', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: ['probe'], folders: [testModules] });
  });
  after(() => lyceum.stop());

  async function siteThatAllows(...origins: string[]) {
    const site = await lyceum.make.site();
    await lyceum
      .as(await lyceum.make.admin(), site)
      .patch('svc/host/v1/settings', { site: { allowed_origins: origins } })
      .expect(200);
    return lyceum.as({ headers: {} }, site);
  }
  const granted = (headers: Record<string, string>) => headers['access-control-allow-origin'];

  it('are let in by nobody unless the site says so', async () => {
    const answer = await lyceum.anonymous.get(route).set('Origin', friend).expect(200);
    expect(granted(answer.headers)).to.equal(undefined);
    const preflight = await lyceum.anonymous
      .options(route)
      .set('Origin', friend)
      .set('Access-Control-Request-Method', 'POST')
      .expect(204);
    expect(granted(preflight.headers)).to.equal(undefined);
    expect(preflight.headers).not.to.have.property('access-control-allow-methods');
  });

  it('are let in exactly, also to a refusal', async () => {
    const client = await siteThatAllows(friend);
    for (const path of [route, 'test/probe/v1/me', 'test/probe/v1/nothing', 'test/probe/v1/wrong/null']) {
      const answer = await client.get(path).set('Origin', friend);
      expect(granted(answer.headers), path).to.equal(friend);
      expect(answer.headers['access-control-allow-credentials']).to.equal('true');
      expect(answer.headers['access-control-expose-headers']).to.include('X-Svc-Nonce');
      expect(answer.headers.vary).to.include('Origin');
    }
    for (const other of [
      'https://app.example:8443',
      'http://app.example',
      'https://evil.app.example',
      'https://app.example.evil',
      'null',
    ]) {
      const answer = await client.get(route).set('Origin', other).expect(200);
      expect(granted(answer.headers), other).to.equal(undefined);
      expect(answer.headers.vary).to.include('Origin');
    }
  });

  it('are told before a request what they may send', async () => {
    const client = await siteThatAllows('https://other.example', friend);
    const answer = await client
      .options(route)
      .set('Origin', friend)
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', 'content-type, x-svc-nonce')
      .expect(204);
    expect(granted(answer.headers)).to.equal(friend);
    expect(answer.headers['access-control-allow-methods']).to.equal('GET, HEAD, POST');
    for (const name of ['Content-Type', 'X-Svc-Nonce', 'X-WP-Nonce', 'Authorization', 'Idempotency-Key']) {
      expect(answer.headers['access-control-allow-headers']).to.include(name);
    }
  });

  it('are forgotten as soon as the site takes them from its list', async () => {
    const site = await lyceum.make.site();
    const admin = lyceum.as(await lyceum.make.admin(), site);
    const list = (origins: string[]) =>
      admin.patch('svc/host/v1/settings', { site: { allowed_origins: origins } }).expect(200);
    const ask = async () => granted((await admin.get(route).set('Origin', friend)).headers);
    await list([friend]);
    expect(await ask()).to.equal(friend);
    await list([]);
    expect(await ask()).to.equal(undefined);
  });
});
