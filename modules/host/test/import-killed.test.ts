import { Storage } from '@lyceum/core';
import { killWorker, startTestHost, startWorker } from '@lyceum/core/testing';
import { expect } from 'chai';
import { authorXml, categoryXml, ended, postsOf, send, type TestItem, wxr } from './wxr-kit.ts';

const pages = 3_000;

/** Posts and pages with parents, terms, media and doubles, so that whatever is done twice shows. */
const items: readonly TestItem[] = Array.from({ length: pages }, (_, n): TestItem => {
  const id = n + 1;
  if (id % 50 === 0) return { id, type: 'attachment', attachmentUrl: `http://old.example/up/${id}.png` };
  if (id % 51 === 0) return { id, type: 'nav_menu_item' };
  return {
    id,
    type: id % 2 === 0 ? 'page' : 'post',
    title: `Same title ${id % 10}`,
    terms: [`category/c-${id % 7}/C ${id % 7}`, `post_tag/t-${id % 90}/T ${id % 90}`],
    parent: id % 2 === 0 && id > 2 ? id - 2 : 0,
    meta: [['_thumbnail_id', '50']],
    password: id === 1001 ? 'enter' : '',
    comments: id % 100 === 1 ? 1 : 0,
  };
});

const head = `${authorXml('ann', 'ann@old.example')}${categoryXml('c-1', 'C 1')}${categoryXml('c-2', 'C 2', 'c-1')}`;

describe('host import: a worker that is killed', () => {
  it('in phase posts costs nothing: the counts are those of an import in one go', async function () {
    this.timeout(180_000);
    const file = wxr({ head, items: [...items, { id: 1, title: 'A double' }] });
    const lyceum = await startTestHost({ modules: [], config: { workers: 'off' } });
    let worker = await startWorker(lyceum, []);
    try {
      const owner = await lyceum.make.admin();
      const whole = lyceum.as(owner, await lyceum.make.site('whole'));
      const killed = lyceum.as(owner, await lyceum.make.site('killed'));
      const { body: first } = await send(whole, file).expect(202);
      const expected = await ended(whole, first.job_id);

      const { body } = await send(killed, file).expect(202);
      for (;;) {
        const job = (await killed.get(`svc/host/v1/jobs/${body.job_id}?wait=30`).expect(200)).body;
        expect(job.completed_at).to.equal(null);
        if (job.phase === 'posts' && job.progress.current > 0) break;
      }
      await killWorker(worker);
      const row = () => lyceum.host.db.knex('jobs').where('job_id', body.job_id).first('*');
      expect(await row()).to.include({ status: 'running', phase: 'posts' });
      worker = await startWorker(lyceum, []);
      const job = await ended(killed, body.job_id);

      expect(job.status).to.equal('completed');
      expect(job.result).to.deep.equal(expected.result);
      expect((await row()).losses).to.equal(1);
      const withoutIds = (rows: readonly Record<string, unknown>[]) => {
        const slugs = new Map(rows.map(({ id, slug, type }) => [id, `${type} ${slug}`]));
        return rows.map(({ type, slug, title, status, parent_id, featured_media, created_at }) => ({
          ...{ type, slug, title, status, created_at },
          parent: slugs.get(parent_id),
          media: slugs.get(featured_media),
        }));
      };
      const [wholeId, killedId] = ['whole', 'killed'].map(
        async (slug) =>
          (await lyceum.host.db.knex('sites').where({ slug }).first('blog_id')).blog_id as number,
      );
      const made = withoutIds(await postsOf(lyceum, (await killedId) ?? 0));
      expect(made).to.deep.equal(withoutIds(await postsOf(lyceum, (await wholeId) ?? 0)));
      expect(
        made.filter(({ type }) => type !== 'attachment').every(({ media }) => media !== undefined),
      ).to.equal(true);
      const left: string[] = [];
      for await (const { key } of lyceum.host.services.host(Storage).list('')) left.push(key);
      expect(left).to.deep.equal([]);
    } finally {
      await killWorker(worker);
      await lyceum.stop();
    }
  });
});
