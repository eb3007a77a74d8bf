import { randomBytes } from 'node:crypto';
import { Storage } from '@lyceum/core';
import {
  type Client,
  startTestHost,
  type TestHost,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import { authorXml, ended, importRoute, postOf, postsOf, runImport, send, wxr } from './wxr-kit.ts';

const export1 = wxr({ items: [{ id: 1, slug: 'one' }] });

async function storedFiles(lyceum: TestHost): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of lyceum.host.services.host(Storage).list('')) keys.push(key);
  return keys;
}

describe('host import: who may, and into what', () => {
  let lyceum: TestHost;
  let site: TestSite;
  let owner: TestUser;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [], config: { workers: 'inline' } });
    site = await lyceum.make.site('lab');
    owner = await lyceum.make.user({ role: 'administrator', site: site.blog_id, login: 'owner' });
    admin = lyceum.as(owner, site);
  });
  afterEach(() => lyceum.stop());

  it('is for administrators of the site', async () => {
    expect((await send(lyceum.anonymous, export1).expect(401)).body.code).to.equal('rest_forbidden');
    for (const role of ['subscriber', 'contributor', 'author', 'editor']) {
      const client = lyceum.as(await lyceum.make.user({ role, site: site.blog_id }), site);
      expect((await send(client, export1).expect(403)).body.code).to.equal('rest_forbidden');
    }
    const elsewhere = lyceum.as(await lyceum.make.user({ role: 'administrator' }), site);
    await send(elsewhere, export1).expect(403);
    const answer = await send(admin, export1).expect(202);
    const { job_id } = answer.body;
    expect(answer.body).to.deep.include({ type: 'host.import', user_id: owner.id });
    expect(answer.headers.location).to.equal(
      `${lyceum.host.addresses.site(site)}api/svc/host/v1/jobs/${job_id}`,
    );
    expect((await ended(admin, job_id)).status).to.equal('completed');
    expect(await storedFiles(lyceum)).to.deep.equal([]);
  });

  it('goes to the site that blog_id names, and to no other', async () => {
    const superAdmin = lyceum.as(await lyceum.make.admin());
    const request = superAdmin.post(`${importRoute}?blog_id=${site.blog_id}`);
    const { body } = await request.attach('file', Buffer.from(export1), 'x.xml').expect(202);
    expect((await ended(superAdmin, body.job_id)).status).to.equal('completed');
    expect(await postsOf(lyceum, site.blog_id)).to.have.length(1);
    expect(await postsOf(lyceum, 1)).to.have.length(0);
    const far = await lyceum.make.network();
    const unknown = superAdmin.post(`${importRoute}?blog_id=${far.blog_id}`);
    await unknown.attach('file', Buffer.from(export1), 'x.xml').expect(404);
    await admin.post(`${importRoute}?blog_id=1`).attach('file', Buffer.from(export1), 'x.xml').expect(403);
  });

  it('refuses forms that are wrong', async () => {
    const none = await admin.post(importRoute).field('dry_run', 'true').expect(400);
    expect(none.body).to.deep.include({ code: 'rest_missing_callback_param' });
    await send(admin, '').expect(400);
    await admin.post(importRoute, { file: 'x' }).expect(415);
    const params = async (fields: Record<string, string>): Promise<string[]> => {
      const { body } = await send(admin, export1, fields).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      return Object.keys(body.data.params);
    };
    const foreigner = await lyceum.make.user({ network: (await lyceum.make.network()).network_id });
    expect(await params({ dry_run: 'maybe' })).to.deep.equal(['dry_run']);
    expect(await params({ default_author_id: '0' })).to.deep.equal(['default_author_id']);
    expect(await params({ default_author_id: '4711' })).to.deep.equal(['default_author_id']);
    for (const map of [
      '{',
      '[]',
      '{"a":"1"}',
      '{"a":0}',
      '{"a":4711}',
      `{"a":${foreigner.id}}`,
      '{"__proto__":1}',
    ]) {
      expect(await params({ author_map: map }), map).to.deep.equal(['author_map']);
    }
    expect(await storedFiles(lyceum)).to.deep.equal([]);
  });

  it('takes files that are larger than the network lets uploads be', async () => {
    await lyceum.make.settings('host', { max_upload_bytes: 100 });
    expect((await runImport(admin, export1)).status).to.equal('completed');
  });

  it('is one at a time for a site', async () => {
    const { db } = lyceum.host;
    const many = wxr({ items: Array.from({ length: 3_000 }, (_, n) => ({ id: n + 1 })) });
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(admin, many)));
    const [accepted] = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).to.have.length(5);
    for (const { body } of refused) {
      expect(body).to.deep.include({ code: 'import_running' });
      expect(body.data.job_id).to.equal(accepted?.body.job_id);
    }
    const other = await lyceum.make.site('other');
    const second = lyceum.as(await lyceum.make.user({ role: 'administrator', site: other.blog_id }), other);
    expect((await runImport(second, export1)).status).to.equal('completed');
    await ended(admin, accepted?.body.job_id);
    expect((await runImport(admin, export1)).status).to.equal('completed');
    expect(await storedFiles(lyceum)).to.deep.equal([]);
    expect(await db.knex('jobs').where({ type: 'host.import' })).to.have.length(3);
  });

  it('writes nothing in a dry run, and says what it would do', async () => {
    const file = wxr({
      head: authorXml('ann', 'ann@old.example'),
      items: [
        { id: 1, slug: 'one', creator: 'ann', terms: ['category/news/News'] },
        { id: 2, type: 'page', parent: 1 },
        { id: 3, type: 'attachment', attachmentUrl: 'http://127.0.0.1/x.png' },
        { id: 4, type: 'nav_menu_item' },
      ],
    });
    const superAdmin = lyceum.as(await lyceum.make.admin(), site);
    const fields = { create_users: 'true', fetch_attachments: 'true' };
    const dry = await runImport(superAdmin, file, { ...fields, dry_run: 'true' });
    expect(await postsOf(lyceum, site.blog_id)).to.deep.equal([]);
    expect(await lyceum.host.db.knex('terms').where('blog_id', site.blog_id)).to.deep.equal([]);
    expect(await lyceum.host.db.knex('users').where('login', 'ann')).to.deep.equal([]);
    const real = await runImport(superAdmin, file, fields);
    expect(dry.result).to.deep.equal({ ...real.result, warnings: [], dry_run: true });
    const later = await runImport(superAdmin, file, { dry_run: 'true' });
    expect(later.result.existing).to.deep.equal({ ...real.result.created, user: 2 });
  });

  it('leaves out what a module refuses, and says so', async () => {
    const courses = await startTestHost({ modules: ['lms'], config: { workers: 'inline' } });
    try {
      const client = courses.as(await courses.make.admin());
      await courses.make.settings('lms', { require_course_id: true });
      const file = wxr({
        items: [
          { id: 1, type: 'course', slug: 'bad' },
          {
            id: 2,
            type: 'course',
            slug: 'good',
            meta: [
              ['course_id', 'C-1'],
              ['version', 'three'],
              ['page_ids', 'a:1:{i:0;i:5;}'],
            ],
          },
          { id: 3, type: 'course', slug: 'twin', meta: [['course_id', 'C-1']] },
        ],
      });
      const { result } = await runImport(client, file);
      expect(result.created.course).to.equal(1);
      expect(result.skipped.course).to.equal(2);
      expect(result.warnings.map(({ code, item }) => `${code} ${item}`)).to.have.members([
        'rest_invalid_param course:1',
        'meta_dropped course:2',
        'meta_dropped course:2',
        'course_id_exists course:3',
      ]);
      expect((await postOf(courses, 1, 'good', 'course')).meta).to.deep.equal({ course_id: 'C-1' });
    } finally {
      await courses.stop();
    }
  });

  it('takes 5 MiB of text, and leaves out what is larger', async () => {
    const text = `${'Long words of a text. '.repeat(230_000)}end`;
    const { result } = await runImport(
      admin,
      wxr({
        items: [
          { id: 1, slug: 'long', content: text },
          { id: 2, content: text.repeat(2) },
          { id: 3, slug: 'titled', title: 'T'.repeat(600) },
        ],
      }),
    );
    expect(result.created.post).to.equal(2);
    expect(result.warnings.map(({ code, item }) => `${code} ${item}`)).to.deep.equal([
      'item_too_large post:2',
      'title_cut post:3',
    ]);
    expect((await postOf(lyceum, site.blog_id, 'long')).content).to.equal(text);
    expect((await postOf(lyceum, site.blog_id, 'titled')).title).to.have.length(500);
  });

  it('ends where somebody cancels it, and keeps what is done', async () => {
    const many = wxr({ items: Array.from({ length: 4_000 }, (_, n) => ({ id: n + 1 })) });
    const { body } = await send(admin, many).expect(202);
    for (;;) {
      const job = (await admin.get(`svc/host/v1/jobs/${body.job_id}?wait=30`).expect(200)).body;
      if (job.phase === 'posts' && job.progress.current > 0) break;
    }
    await admin.post(`svc/host/v1/jobs/${body.job_id}/cancel`).expect(200);
    const job = await ended(admin, body.job_id);
    expect(job).to.deep.include({ status: 'cancelled', result: null });
    const done = (await postsOf(lyceum, site.blog_id)).length;
    expect(done).to.be.within(200, 3_999);
    expect(await storedFiles(lyceum)).to.deep.equal([]);
    const { result } = await runImport(admin, many);
    expect(result.created.post).to.equal(4_000 - done);
    expect(result.existing.post).to.equal(done);
  });

  it('fails as a job, not as a request, for whatever bytes come', async () => {
    for (const bytes of [randomBytes(5_000), Buffer.alloc(2_000), Buffer.from([0xff, 0xfe, 0x00])]) {
      const job = await runImport(admin, bytes);
      expect(job.error?.code).to.equal('import_bad_xml');
    }
  });
});
