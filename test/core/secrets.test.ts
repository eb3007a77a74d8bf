import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { hostCapabilities } from '../../core/auth/capabilities.ts';
import { checkDeclaration } from '../../core/registry/check-declaration.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

const ring = 'test/gate/v1/ring';
const door = 'test/gate/v1/doors/north';

const packages = path.join(import.meta.dirname, 'packages');

/** The same package, to be run in a worker of its own. */
async function isolatedCopy(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-gate-'));
  await cp(path.join(packages, 'gate'), path.join(folder, 'gate'), { recursive: true });
  const file = path.join(folder, 'gate', 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { lyceum: object };
  const lyceum = { ...manifest.lyceum, isolation: 'worker' };
  await writeFile(file, JSON.stringify({ ...manifest, lyceum }));
  return folder;
}

for (const isolated of [false, true]) secretsOf(isolated);

function secretsOf(isolated: boolean): void {
  describe(`secrets of modules${isolated ? ' in workers of their own' : ''}`, function () {
    this.timeout(60_000);
    let lyceum: TestHost;
    let folder: string;
    before(async () => {
      folder = isolated ? await isolatedCopy() : packages;
      lyceum = await startTestHost({ modules: ['test_gate'], folders: [folder] });
      await lyceum.make.settings('test_gate', { secret: 'open sesame' });
    });
    after(async () => {
      await lyceum.stop();
      if (isolated) await rm(folder, { recursive: true, force: true });
    });

    const rung = (secret: string | null, body: object = { times: 1 }, more: Record<string, string> = {}) =>
      lyceum
        .as({ headers: { ...more, ...(secret === null ? {} : { 'X-Gate-Bell': secret }) } })
        .post(ring, body);
    const entered = (secret: string, query = '') =>
      lyceum.as({ headers: { Authorization: `Bearer ${secret}` } }).get(`${door}${query}`);

    it('in a header of their own open for machines, which act as nobody', async () => {
      const { body } = await rung('open sesame').expect(200);
      expect(body).to.deep.equal({ user: null, kind: 'secret', proof: '1' });
      const admin = await lyceum.make.admin();
      const beside = await rung('open sesame', { times: 1 }, { ...admin.headers }).expect(200);
      expect(beside.body.user).to.equal(null);
    });

    it('are refused as 401 where the declaration says rest_forbidden, whatever else comes with them', async () => {
      const { signed } = await lyceum.make.session((await lyceum.make.admin()).id);
      for (const secret of [null, '', 'Open Sesame', 'x'.repeat(5_000)]) {
        for (const headers of [{}, { ...signed.headers }]) {
          const { body } = await rung(secret, { times: 1 }, headers).expect(401);
          expect(body.code).to.equal('rest_forbidden');
        }
      }
      const site = await lyceum.make.site();
      const header = { headers: { 'X-Gate-Bell': 'open sesame' } };
      await lyceum.as(header, site).post(ring, { times: 1 }).expect(401);
      await lyceum
        .as({ headers: { 'X-Gate-Bell': '' } }, site)
        .post(ring, { times: 1 })
        .expect(401);
    });

    it('are asked for before the body is looked at', async () => {
      const sent = (secret: string) => rung(secret).set('Content-Type', 'application/json').send('{');
      await sent('wrong').expect(401);
      expect((await sent('open sesame').expect(400)).body.code).to.equal('rest_invalid_json');
    });

    it('let operations name bad input by a code of their own', async () => {
      const missing = await rung('open sesame', {}).expect(422);
      expect(missing.body).to.deep.include({ code: 'gate_bad' });
      expect(missing.body.data.params).to.deep.equal(['times']);
      const bad = await rung('open sesame', { times: 0 }).expect(422);
      expect(bad.body.data.params).to.have.all.keys('times');
    });

    it('of a user act as him, where and as far as he may', async () => {
      const site = await lyceum.make.site();
      const ann = await lyceum.make.user({ role: 'editor', site: site.blog_id });
      const denied = await entered(`user-${ann.id}`).expect(403);
      expect(denied.body.code).to.equal('gate_denied');
      const { body } = await entered(`user-${ann.id}`, `?blog_id=${site.blog_id}`).expect(200);
      expect(body).to.deep.equal({ user: ann.id, kind: 'secret', proof: 'north' });
      await entered('user-1', '?blog_id=1').expect(200);
      await entered('user-1', '?blog_id=77').expect(404);
      await entered(`user-${ann.id}`, '?blog_id=77').expect(403);
    });

    it('as bearers challenge whoever has none or a wrong one', async () => {
      const none = await lyceum.anonymous.get(door).expect(401);
      expect([none.body.code, none.headers['www-authenticate']]).to.deep.equal(['gate_missing', 'Bearer']);
      for (const secret of ['nobody', 'user-2000000000']) {
        const { body, headers } = await entered(secret).expect(401);
        expect([body.code, headers['www-authenticate']]).to.deep.equal(['gate_wrong', 'Bearer']);
      }
    });

    it('that cannot be looked up are a fault of the server, and nobody is let in', async () => {
      expect((await entered('broken').expect(500)).body.code).to.equal('internal_error');
    });

    it('stand in the description of the API', async () => {
      const { body } = await lyceum.anonymous.get('openapi.json').expect(200);
      expect(body.components.securitySchemes).to.deep.include({
        'test_gate.bell': {
          type: 'apiKey',
          in: 'header',
          name: 'x-gate-bell',
          description: 'The secret of the site, from its settings.',
        },
        'test_gate.pass': { type: 'http', scheme: 'bearer', description: 'A pass that names its user.' },
      });
      const operation = body.paths['/test/gate/v1/doors/{door}'].get;
      expect(operation.security).to.deep.equal([{ 'test_gate.pass': [] }]);
      expect(operation['x-access']).to.include('`edit_pages`');
      expect(Object.keys(operation.responses)).to.include.members(['401', '403']);
      const other = await lyceum.make.admin();
      await lyceum.as(other).put('svc/modules/v1/modules/test_gate', { enabled: false }).expect(200);
      const off = await lyceum.anonymous.get('openapi.json').expect(200);
      expect(off.body.components.securitySchemes).not.to.have.property('test_gate.pass');
      await lyceum.as(other).put('svc/modules/v1/modules/test_gate', { enabled: true }).expect(200);
    });
  });
}

describe('declarations: secrets', () => {
  const act = (): never => expect.fail('not called');
  const secret = {
    id: 'shop.key',
    title: 'Key',
    in: 'bearer',
    refusals: { missing: 'rest_forbidden', wrong: 'rest_forbidden', denied: 'rest_forbidden' },
    recognise: act,
  };
  const check =
    (access: object, more: object = {}) =>
    () =>
      checkDeclaration(
        {
          id: 'shop',
          title: 'Shop',
          namespaces: ['acme/shop/v1'],
          operations: [
            { id: 'shop.buy', method: 'GET', path: 'acme/shop/v1/x', access, handle: act, ...more },
          ],
        },
        'shop',
        hostCapabilities,
      );

  it('are taken when they are whole', () => {
    expect(check({ secret })).to.not.throw();
    expect(check({ secret: { ...secret, in: { header: 'x-shop-key' } }, can: 'read' })).to.not.throw();
  });

  it('are refused by the name of the field', () => {
    const said = (change: object) => check({ secret: { ...secret, ...change } });
    for (const [attempt, message] of [
      [check({ secret, public: 'no' }), /^operations\.shop\.buy\.access: must have exactly one/],
      [check({ secret, can: 5 }), /access\.can: must be the name/],
      [check({ secret: null }), /access\.secret: must be made by defineSecret/],
      [said({ id: 'other.key' }), /access\.secret\.id:/],
      [said({ title: '' }), /access\.secret\.title:/],
      [said({ in: 'cookie' }), /access\.secret\.in:/],
      [said({ in: { header: 'Authorization' } }), /access\.secret\.in:/],
      [said({ in: { header: 'cookie' } }), /access\.secret\.in:/],
      [said({ recognise: null }), /access\.secret\.recognise:/],
      [said({ refusals: { missing: 'rest_forbidden' } }), /access\.secret\.refusals:/],
      [said({ refusals: { ...secret.refusals, wrong: 'nowhere' } }), /"nowhere" is not in the module's/],
      [said({ errors: ['nowhere'] }), /"nowhere" is not in the module's/],
      [said({ more: 1 }), /access\.secret\.more: is no key/],
      [check({ secret }, { badInput: 'nowhere' }), /"nowhere" is not in the module's/],
    ] as const) {
      expect(attempt).to.throw(message);
    }
  });
});
