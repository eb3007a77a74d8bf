import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  jobsEnded,
  mailsTo,
  outboxOf,
  startTestHost,
  type TestHost,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: the mail to the administrator of a new site', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'], config: { workers: 'inline' } });
    admin = await lyceum.make.admin();
  });
  afterEach(() => lyceum.stop());

  const create = (slug: string, user_id: number) =>
    lyceum.as(admin).post(sites, { title: 'Rooms', slug, user_id });
  const configure = (network: object) =>
    lyceum.as(admin).patch('svc/host/v1/settings', { network }).expect(200);

  it('goes out as the network words it, and where it has no words there is none', async () => {
    const ann = await lyceum.make.user();
    await create('unannounced', ann.id).expect(201);
    const welcome_email = 'Dear USERNAME,\nSITE_NAME has BLOG_URL for you.\nEnter: LOGINLINK\nUSERNAME!';
    await configure({ welcome_email, site_name: 'The BLOG_URL school' });
    await create('announced', ann.id)
      .set('Host', 'localhost')
      .set('X-Forwarded-Host', 'evil.example')
      .expect(201);
    await create('announced', ann.id).expect(409);
    await jobsEnded(lyceum);
    const [mail, ...others] = await outboxOf(lyceum);
    expect(others).to.deep.equal([]);
    const [head, text] = (mail?.raw ?? '').split('\r\n\r\n');
    expect(head).to.match(new RegExp(`^To: ${ann.email}\\r$`, 'm'));
    expect(head).to.match(/^From: "?The BLOG_URL school"? <admin@example.test>\r$/m);
    expect(head).to.match(/^Subject: New The BLOG_URL school site: Rooms\r$/m);
    expect(head).to.match(/^Content-Type: text\/plain/m);
    const origin = `http://localhost:${lyceum.host.port}`;
    expect(text?.trim().split('\r\n')).to.deep.equal([
      `Dear ${ann.login},`,
      `The BLOG_URL school has ${origin}/announced/ for you.`,
      `Enter: ${origin}/announced/console/`,
      `${ann.login}!`,
    ]);
    expect(mail?.raw).not.to.include('evil.example');
  });

  it('comes late, but comes, when the outbox could not be written', async () => {
    const outbox = path.join(lyceum.dataDir, 'outbox');
    await writeFile(outbox, 'a file where the folder should be');
    await configure({ welcome_email: 'Dear USERNAME' });
    const ann = await lyceum.make.user();
    await create('later', ann.id).expect(201);
    const { knex } = lyceum.host.db;
    const job = () => knex('jobs').where({ type: 'host.welcome-mail' }).first();
    while ((await job())?.tries !== 1) await knex.raw('select pg_sleep(0.01)');
    await rm(outbox);
    const [mail] = await mailsTo(lyceum, ann.email, 1);
    expect(mail?.mail.text?.trim()).to.equal(`Dear ${ann.login}`);
    expect((await job()).payload).to.deep.equal({ user_id: ann.id });
  });

  it('is for nobody whose account is gone', async () => {
    const idle = await startTestHost({ modules: ['site_manager'] });
    const operator = idle.as(await idle.make.admin());
    const network = { welcome_email: 'Dear USERNAME' };
    await operator.patch('svc/host/v1/settings', { network }).expect(200);
    const ann = await idle.make.user();
    await operator.post(sites, { title: 'Rooms', slug: 'gone', user_id: ann.id }).expect(201);
    await idle.host.db.knex('users').where({ id: ann.id }).delete();
    const worker = await startTestHost({
      modules: ['site_manager'],
      config: { workers: 'inline' },
      beside: idle,
    });
    await jobsEnded(idle);
    const [job] = await idle.host.db.knex('jobs').where({ type: 'host.welcome-mail' });
    expect(job).to.deep.include({ status: 'completed', result: { sent: false } });
    expect(await outboxOf(idle)).to.deep.equal([]);
    await worker.stop();
    await idle.stop();
  });
});
