import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { hashOf, LocalKit, page, root } from './local-kit.ts';

interface Answer {
  readonly code: string | undefined;
  readonly summary: Record<string, number>;
}

describe('local_sync: size and time', function () {
  this.timeout(240_000);
  let kit: LocalKit;
  before(async () => {
    kit = await LocalKit.start();
  });
  after(() => kit.lyceum.stop());

  it('plans a thousand pages with as many statements as ten, and reads no text', async () => {
    const pages = (from: number, count: number) =>
      Array.from({ length: count }, (_none, at) =>
        page(`p${from + at}`, `<p>${'words '.repeat(2_000)}${from + at}</p>`, { slug: `plan-${from + at}` }),
      );
    for (const from of [0, 500]) await kit.synced('plan', pages(from, 500));
    await kit.synced('small', pages(2_000, 10));
    const bare = (list: readonly object[]) => list.map((one) => ({ ...one, content: undefined }));
    const plan = async (project: string, list: readonly object[]) => {
      let summary: Record<string, number> = {};
      const began = process.cpuUsage();
      const statements = await countStatements(async () => {
        const more = { dry_run: true, delete_missing: true };
        summary = (await kit.sync(project, bare(list), more).expect(200)).body.summary;
      });
      const { user, system } = process.cpuUsage(began);
      return { statements, cpuMs: (user + system) / 1000, summary };
    };
    const small = await plan('small', pages(2_000, 10));
    const large = await plan('plan', pages(0, 500));
    expect(small.summary).to.deep.include({ unchanged: 10 });
    expect(large.summary).to.deep.include({ unchanged: 500, deleted: 500 });
    expect(large.statements).to.equal(small.statements);
    expect(large.statements).to.be.at.most(6);
    expect(large.cpuMs).to.be.below(2_000);
  });

  it('takes 64 MiB, and no more', async () => {
    const text = `<p>${'x'.repeat(5 * 1024 * 1024 - 10)}</p>`;
    const pages = Array.from({ length: 12 }, (_none, at) => page(`p${at}`, text, { slug: `large-${at}` }));
    const body = JSON.stringify({ project: 'large', pages });
    const post = (sent: string) =>
      fetch(`${kit.lyceum.origin}/api/${root}/sync`, {
        method: 'POST',
        headers: { ...kit.admin.headers, 'Content-Type': 'application/json' },
        body: sent,
      });
    const padded = body.replace('{', `{${' '.repeat(64 * 1024 * 1024 - body.length)}`);
    const answer = await post(padded);
    expect(answer.status).to.equal(200);
    expect(((await answer.json()) as Answer).summary).to.deep.include({ created: 12 });
    const refused = await post(`${padded} `);
    expect([refused.status, ((await refused.json()) as Answer).code]).to.deep.equal([
      413,
      'rest_body_too_large',
    ]);
    const long = await kit.sync('large', [page('long', 'x'.repeat(5 * 1024 * 1024 + 1))]);
    expect([long.status, long.body.code]).to.deep.equal([413, 'rest_body_too_large']);
    expect(hashOf((await kit.knex('posts').where({ slug: 'large-3' }).first('content')).content)).to.equal(
      hashOf(text),
    );
  });
});
