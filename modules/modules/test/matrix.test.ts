import { type Client, countStatements, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { modulesRoute, startWithPackages } from './lyceum.ts';

const matrix = 'svc/modules/v1/matrix';

interface Row {
  readonly blog_id: number;
  readonly path: string;
  readonly cells: readonly { readonly module: string }[];
}

const cell = (row: Row | undefined, id: string) => row?.cells.find(({ module }) => module === id);

describe('modules: the matrix of modules and sites', () => {
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startWithPackages();
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  it('tells for each site what is on, why not, and what the site overrides', async () => {
    const two = await lyceum.make.site('two');
    await admin.put(`${modulesRoute}/test_parent`, { enabled: true }).expect(200);
    await admin.put(`${modulesRoute}/test_child`, { enabled: true }).expect(200);
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator', site: two.blog_id }), two);
    await owner.put(`${modulesRoute}/test_child`, { enabled: false, scope: 'site' }).expect(200);
    await owner.put(`${modulesRoute}/test_parent`, { enabled: false, scope: 'site' }).expect(200);
    const { body } = await admin.get(matrix).expect(200);
    const [first, second] = body.sites as Row[];
    expect(first).to.include({ blog_id: 1, path: '/' });
    expect(cell(first, 'test_child')).to.deep.equal({
      ...{ module: 'test_child', enabled: true, reason: null, override: null },
    });
    expect(second).to.include({ blog_id: two.blog_id, path: two.path });
    expect(cell(second, 'test_parent')).to.deep.equal({
      ...{ module: 'test_parent', enabled: false, reason: 'disabled', override: false },
    });
    expect(cell(second, 'host')).to.deep.equal({
      ...{ module: 'host', enabled: true, reason: null, override: null },
    });
    const { body: listed } = await admin.get(modulesRoute).expect(200);
    const ids = (listed as { id: string }[]).map(({ id }) => id);
    expect((body.modules as { id: string }[]).map(({ id }) => id)).to.deep.equal(ids);
    for (const row of body.sites as Row[]) expect(row.cells.map(({ module }) => module)).to.deep.equal(ids);
    expect(body.modules.find(({ id }: { id: string }) => id === 'test_parent')).to.deep.equal({
      id: 'test_parent',
      title: 'Parent',
      locked: false,
      scopes: ['network', 'site'],
      network: true,
    });
  });

  it('comes in pages of sites, each for the same number of statements', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await lyceum.make.site(name);
    // The first answer also reads the state of its own site.
    await admin.get(matrix).expect(200);
    const small = await countStatements(() => admin.get(`${matrix}?per_page=1`).expect(200));
    expect(await countStatements(() => admin.get(matrix).expect(200))).to.equal(small);
    const answer = await admin.get(`${matrix}?per_page=2&page=2`).expect(200);
    expect(answer.headers).to.include({ 'x-svc-total': '5', 'x-svc-totalpages': '3' });
    expect((answer.body.sites as Row[]).map(({ path }) => path)).to.deep.equal(['/b/', '/c/']);
    const found = await admin.get(`${matrix}?search=%2Fd%2F`).expect(200);
    expect((found.body.sites as Row[]).map(({ path }) => path)).to.deep.equal(['/d/']);
    await admin.get(`${matrix}?per_page=101`).expect(400);
    await admin.get(`${matrix}?page=x`).expect(400);
  });

  it('is for administrators of the network, and shows nothing of another one', async () => {
    const two = await lyceum.make.site('two');
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator', site: two.blog_id }), two);
    await owner.get(matrix).expect(403);
    await lyceum.anonymous.get(matrix).expect(401);
  });
});
