import { Database, Jobs } from '@lyceum/core';
import {
  type Client,
  startTestHost,
  type TestHost,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/jobs';

describe('host: jobs', () => {
  let lyceum: TestHost;
  let two: TestSite;
  let ann: TestUser;
  let asAnn: Client;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [] });
    two = await lyceum.make.site('two');
    ann = await lyceum.make.user({ role: 'subscriber' });
    asAnn = lyceum.as(ann);
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const enqueue = async (
    user: { readonly id: number } | null,
    blog_id = 1,
    network_id = 1,
    type = 'host.publish',
  ) => {
    const { services } = lyceum.host;
    const job = {
      type,
      payload: { due: '2020-01-01T00:00:00.000Z' },
      site: { blog_id, network_id },
      userId: user?.id ?? null,
      startAfterSeconds: 0,
    };
    const row = await services.host(Database).transaction((trx) => services.host(Jobs).enqueue(trx, job));
    return row.job_id;
  };
  const listed = async (client: Client, query = ''): Promise<string[]> => {
    const { body } = await client.get(`${route}${query}`).expect(200);
    return (body as { job_id: string }[]).map(({ job_id }) => job_id);
  };

  it("are one's own, of every type, newest first, page by page", async () => {
    const first = await enqueue(ann);
    const second = await enqueue(ann, two.blog_id, 1, 'host.import');
    await enqueue({ id: 1 });
    expect(await listed(asAnn)).to.deep.equal([second, first]);
    expect(await listed(asAnn, '?type=host.import')).to.deep.equal([second]);
    expect(await listed(asAnn, '?type=host.')).to.deep.equal([second, first]);
    expect(await listed(asAnn, '?type=site_manager.')).to.deep.equal([]);
    expect(await listed(asAnn, '?status=completed,failed')).to.deep.equal([]);
    expect(await listed(asAnn, '?status=pending')).to.have.length(2);
    const page = await asAnn.get(`${route}?per_page=1&page=2`).expect(200);
    expect(page.headers['x-svc-total']).to.equal('2');
    expect(page.body[0]).to.deep.include({
      job_id: first,
      type: 'host.publish',
      status: 'pending',
      progress: { percent: 0, current: 0, total: 0 },
      user_id: ann.id,
      network_id: 1,
      result: null,
      error: null,
      completed_at: null,
    });
    await lyceum.anonymous.get(route).expect(401);
    for (const query of ['?status=done', '?page=0', '?per_page=101', '?all=maybe', '?blog_id=x']) {
      expect((await asAnn.get(route + query).expect(400)).body.code).to.equal('rest_invalid_param');
    }
  });

  it('are everybody’s for who manages the network, and those of one site', async () => {
    const hosts = await enqueue(null);
    const hers = await enqueue(ann, two.blog_id);
    expect(await listed(admin)).to.deep.equal([]);
    expect(await listed(admin, '?all=true')).to.deep.equal([hers, hosts]);
    expect(await listed(admin, `?blog_id=${two.blog_id}`)).to.deep.equal([hers]);
    await asAnn.get(`${route}?all=true`).expect(403);
    await asAnn.get(`${route}?blog_id=1`).expect(403);
    await admin.get(`${route}/${hers}`).expect(200);
    const other = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    expect((await other.get(`${route}/${hers}`).expect(403)).body.code).to.equal('forbidden');
    const far = await lyceum.make.network();
    const stranger = lyceum.as(await lyceum.make.user({ superAdminOf: far.network_id }), far);
    expect((await stranger.get(`${route}/${hers}`).expect(404)).body.code).to.equal('job_not_in_network');
    expect(await listed(stranger, '?all=true')).to.deep.equal([]);
  });

  it('are read, followed and cancelled by their owners', async () => {
    const id = await enqueue(ann, 1, 1, 'host.import');
    expect((await asAnn.get(`${route}/${id}`).expect(200)).body).to.include({ job_id: id });
    const events = await asAnn.get(`${route}/${id}/events`).expect(200);
    expect(events.body).to.have.nested.property('[0].message', 'Enqueued.');
    const other = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    await other.post(`${route}/${id}/cancel`).expect(403);
    await other.get(`${route}/${id}/events`).expect(403);
    const cancelled = await asAnn.post(`${route}/${id}/cancel`).expect(200);
    expect(cancelled.body).to.include({ status: 'cancelled' });
    const hosts = await enqueue(ann);
    expect((await asAnn.post(`${route}/${hosts}/cancel`).expect(409)).body.code).to.equal(
      'job_not_cancellable',
    );
    for (const wrong of ['nope', '00000000-0000-4000-8000-000000000000']) {
      for (const path of [wrong, `${wrong}/events`]) {
        const { body } = await asAnn.get(`${route}/${path}`).expect(404);
        expect(body).to.deep.include({ code: 'job_not_found', message: 'Job not found.' });
      }
    }
  });
});
