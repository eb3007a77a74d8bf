import { expect } from 'chai';
import { startTestHost, type TestHost } from '../kit/index.ts';

describe('the health of a process', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  it('is good when database, migrations, storage and queue are', async () => {
    const answer = await fetch(`${lyceum.origin}/readyz`);
    expect([answer.status, await answer.json()]).to.deep.equal([
      200,
      { status: 'ok', checks: { database: 'ok', migrations: 'ok', storage: 'ok', queue: 'ok' } },
    ]);
  });

  it('is bad, and says where, when the queue is gone', async () => {
    const { knex } = lyceum.host.db;
    await knex.raw('alter schema pgboss rename to elsewhere');
    try {
      const answer = await fetch(`${lyceum.origin}/readyz`);
      expect(answer.headers.get('retry-after')).to.equal('1');
      expect([answer.status, await answer.json()]).to.deep.equal([
        503,
        { status: 'failed', checks: { database: 'ok', migrations: 'ok', storage: 'ok', queue: 'failed' } },
      ]);
    } finally {
      await knex.raw('alter schema elsewhere rename to pgboss');
    }
  });

  it('is asked for and nothing else', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const answer = await fetch(`${lyceum.origin}${path}`, { method: 'POST' });
      expect([answer.status, answer.headers.get('allow')], path).to.deep.equal([405, 'GET, HEAD']);
    }
  });
});
