import { expect } from 'chai';
import { PackageKit, space } from './package-kit.ts';

interface Result {
  readonly index: number;
  readonly op: string;
  readonly status: number;
  readonly body: { readonly id?: number; readonly [key: string]: unknown } | null;
  readonly error: { readonly code: string; readonly message: string; readonly data: object } | null;
}

describe('embed_packages: a batch', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start();
  });
  after(() => kit.lyceum.stop());

  const batch = (operations: unknown, client = kit.admin) => client.post(`${space}/batch`, { operations });
  const run = async (operations: unknown) => (await batch(operations).expect(200)).body;
  const codes = (results: readonly Result[]) => results.map(({ status, error }) => error?.code ?? status);

  it('goes on behind what fails, and names what was made before', async () => {
    const page = await kit.page();
    const answer = await run([
      { op: 'create', title: 'One', html: '<title>One</title>' },
      { op: 'bind', page_id: page, package_id: '$0.id' },
      { op: 'bind', page_id: 999_999, package_id: '$0.id' },
    ]);
    expect(answer).to.deep.include({ total: 3, processed: 3, succeeded: 2, failed: 1 });
    const [first, second, third] = answer.results as Result[];
    expect(first).to.deep.include({ index: 0, op: 'create', status: 201, error: null });
    expect(second?.body).to.deep.include({ page_id: page, package_id: first?.body?.id });
    expect(third).to.deep.include({ status: 404, body: null });
    expect(third?.error).to.deep.include({ code: 'embed_packages_page_not_found' });
    expect(third?.error?.data).to.deep.equal({ status: 404 });
    const shown = await kit.admin.get(`${space}/packages/${first?.body?.id}`);
    expect(shown.body.title).to.equal('One');
  });

  it('does all that the routes do', async () => {
    const { results } = await run([
      { op: 'create', title: 'Life', html: '<title>Life</title>' },
      { op: 'update', id: '$0.id', title: 'Of a package' },
      { op: 'content', id: '$0.id', html: '<title>New</title>' },
      { op: 'materialize', id: '$0.id', status: 'publish' },
      { op: 'unbind', page_id: '$3.created.0.page_id' },
      { op: 'unbind', page_id: '$3.created.0.page_id' },
      { op: 'bind', page_id: '$3.created.0.page_id', package_id: '$1.id', path: 'index.html' },
      { op: 'materialize', id: '$0.id', parent_id: '$3.created.0.page_id' },
      { op: 'delete', id: '$0.id' },
      { op: 'delete', id: '$0.id' },
    ]);
    expect(codes(results)).to.deep.equal([
      ...[201, 200, 200, 200, 200, 200, 200, 200, 200, 'embed_packages_not_found'],
    ]);
    const bodies = (results as Result[]).map(({ body }) => body);
    expect(bodies[2]).to.deep.include({ revision: 2, title: 'Of a package' });
    expect([bodies[4]?.deleted, bodies[5]?.deleted]).to.deep.equal([true, false]);
    expect(bodies[7]).to.deep.include({ total: 1, created: [] });
  });

  it('fails an item that refers to nothing, to a failure, or to what comes later', async () => {
    const { results } = await run([
      { op: 'delete', id: 999_999 },
      { op: 'delete', id: '$0.id' },
      { op: 'delete', id: '$9.id' },
      { op: 'delete', id: '$3.id' },
      { op: 'create', title: '$0.id costs $5.00' },
      { op: 'delete', id: '$4.constructor' },
      { op: 'delete', id: '$4.title' },
      { op: 'delete', id: '$4.pages.0.path' },
      { op: 'update', id: '$4.id', title: 5 },
      { op: 'update', title: 'x' },
      { op: 'create', title: 'x', html: 5 },
      { op: 'bind', page_id: '$4.id', package_id: null },
    ]);
    expect(codes(results)).to.deep.equal([
      ...['embed_packages_not_found', 'rest_invalid_param', 'rest_invalid_param', 'rest_invalid_param', 201],
      ...['rest_invalid_param', 'rest_invalid_param', 'rest_invalid_param', 'rest_invalid_param'],
      ...['rest_missing_callback_param', 'rest_invalid_param', 'rest_invalid_param'],
    ]);
    expect(results[4].body.title).to.equal('$0.id costs $5.00');
  });

  it('that is malformed does nothing', async () => {
    const before = await kit.count('embed_packages');
    const create = { op: 'create', title: 'x' };
    const wrong = [
      [],
      {},
      'x',
      null,
      [create, { op: 'drop' }],
      [create, { op: 'constructor' }],
      [create, {}],
      [create, null],
      [create, 'x'],
      Array(101).fill(create),
    ];
    for (const operations of wrong) {
      const { body } = await batch(operations).expect(400);
      expect(body.code, JSON.stringify(operations)?.slice(0, 60)).to.equal('rest_invalid_param');
    }
    expect((await batch(undefined).expect(400)).body.code).to.equal('rest_missing_callback_param');
    expect(await kit.count('embed_packages')).to.equal(before);
  });

  it('may weigh 20 MiB', async () => {
    const html = 'x'.repeat(4.9 * 1024 * 1024);
    const operations = Array.from({ length: 4 }, (_none, at) => ({ op: 'create', title: `T${at}`, html }));
    expect((await run(operations)).succeeded).to.equal(4);
    const more = [...operations, { op: 'create', title: 'T', html: 'x'.repeat(500_000) }];
    expect((await batch(more).expect(413)).body.code).to.equal('rest_body_too_large');
  });

  it('with a key does its work once', async () => {
    const operations = [{ op: 'create', title: 'Once' }];
    const send = () => batch(operations).set('Idempotency-Key', 'batch-1');
    const before = await kit.count('embed_packages');
    const [one, two] = [await send().expect(200), await send().expect(200)];
    expect(two.body).to.deep.equal(one.body);
    expect(await kit.count('embed_packages')).to.equal(before + 1);
  });
});
