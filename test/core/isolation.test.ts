import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { Storage } from '../../core/files/storage.ts';
import { type Client, RawRequest, runSchedule, startTestHost, type TestHost } from '../kit/index.ts';

const packages = new URL('./packages', import.meta.url).pathname;
const modules = 'svc/modules/v1/modules';
const base = 'test/cell/v1';

describe('a module in a worker of its own', function () {
  // The first start makes the database, too.
  this.timeout(60_000);
  let lyceum: TestHost;
  let admin: Client;
  let editor: Client;
  before(async () => {
    lyceum = await startTestHost({
      modules: ['test_cell'],
      folders: [packages],
      config: { workers: 'inline' },
    });
    admin = lyceum.as(await lyceum.make.admin());
    editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
    await admin.put(`${modules}/test_cell`, { enabled: true }).expect(200);
  });
  after(() => lyceum.stop());

  const title = async (): Promise<string> =>
    (await lyceum.host.db.knex('sites').where('blog_id', 1).first('title')).title;
  const notes = async (): Promise<string[]> =>
    (await lyceum.host.db.knex('test_cell_notes').orderBy('id').pluck('note')) as string[];

  it('is listed, switched and described as any other', async () => {
    const { body } = await admin.get(`${modules}/test_cell`).expect(200);
    expect(body).to.deep.include({ enabled: true, error: null, has_settings: true, namespaces: [base] });
    expect(await notes()).to.include('enabled for the network');
    const { body: api } = await lyceum.anonymous.get('openapi.json').expect(200);
    const { schema } = api.paths[`/${base}/items/{id}`].post.requestBody.content['application/json'];
    const name = (schema.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)] : schema).properties
      .name;
    expect(name).to.deep.include({ type: 'string', maxLength: 5, pattern: '^[a-z]+$' });
  });

  it('sees its call, and nothing of the credentials', async () => {
    await admin.patch(`${modules}/test_cell/settings`, { settings: { limit: 7, key: 'sesame' } }).expect(200);
    const { body } = await editor
      .get(`${base}/facts`)
      .set('X-Probe', 'p')
      .set('User-Agent', 'tests')
      .expect(200);
    expect(body.process).not.to.equal(process.pid);
    expect(body).to.deep.include({
      site: 1,
      can: [true, true, false],
      limit: 7,
      key: 'sesame',
      agent: 'tests',
      header: 'p',
      secret: '',
      on: [true, false],
      free: { at: '1970-01-01T00:00:00.000Z', list: [1, null] },
    });
    expect(body.user).to.be.a('string');
    expect(body).not.to.have.property('hidden');
    expect(Math.abs(Date.parse(body.now) - Date.now())).to.be.lessThan(5_000);
    const nobody = await lyceum.anonymous.get(`${base}/facts`).expect(200);
    expect(nobody.body).to.deep.include({ user: null, can: [false, false, false] });
    const bad = await admin.patch(`${modules}/test_cell/settings`, { settings: { limit: 51 } }).expect(400);
    expect(bad.body.data.params).to.deep.equal({ 'settings.limit': 'must be at most 50' });
  });

  it('checks rights, then input with its own tests, and tells what it refuses', async () => {
    await lyceum.anonymous.post(`${base}/items/1`, {}).expect(401);
    await lyceum
      .as(await lyceum.make.user({ role: 'subscriber' }))
      .post(`${base}/items/1`, {})
      .expect(403);
    const missing = await editor.post(`${base}/items/1`, {}).expect(400);
    expect(missing.body).to.deep.include({ code: 'rest_missing_callback_param' });
    const cases: [string, object, string][] = [
      ['items/1', { name: 'long name' }, 'name'],
      ['items/1', { name: 'A' }, 'name'],
      ['items/1', { name: 5 }, 'name'],
      ['items/1', { name: 'a', even: 3 }, 'even'],
      ['items/1', { name: 'a', kind: 'c' }, 'kind'],
      ['items/0', { name: 'a' }, 'id'],
      ['items/x', { name: 'a' }, 'id'],
      ['items/1?words=a,b,c', { name: 'a' }, 'words'],
    ];
    for (const [route, body, field] of cases) {
      const answer = await editor.post(`${base}/${route}`, body);
      expect([answer.status, answer.body.code, Object.keys(answer.body.data.params)], route).to.deep.equal([
        400,
        'rest_invalid_param',
        [field],
      ]);
    }
    const good = await editor
      .post(`${base}/items/4?flag=1&words=a,b`, { name: 'a', even: 2, unknown: 1 })
      .expect(201);
    expect(good.body).to.deep.equal({
      params: { id: 4 },
      query: { flag: true, words: ['a', 'b'] },
      body: { name: 'a', even: 2, kind: 'a' },
    });
    expect(good.headers.location).to.match(/items\/4$/);
    const refused = await editor.post(`${base}/items/4`, { name: 'no' }).expect(409);
    expect(refused.body).to.deep.equal({
      code: 'cell_refused',
      message: 'The cell refuses.',
      data: { name: 'no', status: 409 },
    });
  });

  it('is asked who may pass', async () => {
    await editor.get(`${base}/checked/open`).expect(200);
    await lyceum.anonymous.get(`${base}/checked/open`).expect(401);
    await editor.get(`${base}/checked/other`).expect(403);
    await admin.get(`${base}/checked/admin`).expect(200);
  });

  it('answers lists and streams', async () => {
    const answer = await lyceum.anonymous.get(`${base}/items?page=2&per_page=10`).expect(200);
    expect(answer.body).to.have.length(10);
    expect(answer.headers).to.include({ 'x-svc-total': '45', 'x-svc-totalpages': '5' });
    const streamed = await lyceum.anonymous.get(`${base}/stream`).expect(200);
    expect(streamed.headers['x-lines']).to.equal('2000');
    expect(streamed.text).to.have.length(200_000);
    expect(streamed.text.endsWith('1999\n')).to.equal(true);
  });

  it('serves its files', async () => {
    const storage = lyceum.host.services.host(Storage);
    await storage.write('sites/1/note.txt', Readable.from([Buffer.from('note')]), {
      limit: 4,
      contentType: 'text/plain',
    });
    const found = await fetch(`${lyceum.origin}/files/cell/note.txt`);
    expect([found.status, await found.text()]).to.deep.equal([200, 'note']);
    expect((await fetch(`${lyceum.origin}/files/cell/other.txt`)).status).to.equal(404);
  });

  it('serves its pages', async () => {
    const shown = await fetch(`${lyceum.origin}/cell`);
    expect([shown.status, await shown.text()]).to.deep.equal([
      200,
      '<p>Lyceum</p>'.replace('Lyceum', await title()),
    ]);
    const sent = await fetch(`${lyceum.origin}/cell`, {
      method: 'POST',
      body: new URLSearchParams({ word: 'a b' }),
      headers: { Origin: lyceum.origin },
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.get('location')]).to.deep.equal([303, '/cell?word=a%20b']);
  });

  it('is given files, and writes and reads those of the site', async () => {
    const answer = await editor
      .post(`${base}/files`)
      .attach('file', Buffer.from('some bytes'), 'note.txt')
      .expect(200);
    expect(answer.body).to.deep.equal({ bytes: 10, said: 'some bytes' });
    const large = editor.post(`${base}/files`).attach('file', Buffer.alloc(1_001), 'note.txt');
    expect((await large.expect(413)).body.code).to.equal('rest_body_too_large');
  });

  it('uses the services of the host, also within its own transaction', async () => {
    const { body } = await editor.post(`${base}/services`, { note: 'first' }).expect(200);
    expect(body.posts).to.equal(1);
    const job = await end(body.job);
    expect(job).to.deep.include({ status: 'completed', percent: 100 });
    expect(job.result).to.deep.include({ cursor: 5 });
    const events = await lyceum.host.db.knex('job_events').where('job_id', body.job).orderBy('id');
    expect(events.map(({ level, data }) => [level, data])).to.deep.include(['warning', { limit: 7 }]);
    const written = await notes();
    expect(written).to.include.members(['first', 'first twice', 'job first']);
    const rows = (await admin.get('svc/modules/v1/audit?action=cell.note').expect(200)).body;
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({ to: 'first', blog_id: 1 });

    await editor.post(`${base}/services`, { note: 'second', breaks: true }).expect(500);
    expect(await notes())
      .to.include('second')
      .and.not.include('second twice');
    expect(await lyceum.host.db.knex('jobs').whereRaw(`payload ->> 'note' = 'second'`)).to.deep.equal([]);
    const failed = await editor.post(`${base}/services`, { note: 'refuse' }).expect(200);
    expect((await end(failed.body.job)).error.code).to.equal('cell_refused');
  });

  it('takes its turns, and listens inside the transaction of others', async () => {
    await runSchedule(lyceum, 'test_cell.tick');
    const { body } = await lyceum.anonymous.get(`${base}/facts`).expect(200);
    expect(await notes()).to.include(`tick ${body.process}`);
    const { id } = await lyceum.make.user({ role: 'author' });
    const remove = () => admin.delete(`svc/host/v1/users/${id}?reassign=1`);
    await admin.patch(`${modules}/test_cell/settings`, { settings: { limit: 50 } }).expect(200);
    await remove().expect(409);
    expect((await notes()).some((note) => note.startsWith(`user ${id}`))).to.equal(false);
    await admin.patch(`${modules}/test_cell/settings`, { settings: { limit: 7 } }).expect(200);
    await remove().expect(200);
    expect(await notes()).to.include(`user ${id} by admin at 7`);
  });

  it('is told when the client goes', async () => {
    const mark = path.join(lyceum.dataDir, 'mark');
    const body = JSON.stringify({ mark });
    const request = new RawRequest(lyceum.origin);
    await request.write(
      `POST /api/${base}/wait HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await editor.get(`${base}/facts`).expect(200);
    request.cut();
    const written = async (): Promise<string> => readFile(mark, 'utf8').catch(() => '');
    while ((await written()) === '') await soon();
    expect(await written()).to.equal('AbortError');
  });

  async function end(jobId: string) {
    for (;;) {
      const job = await lyceum.host.db.knex('jobs').where('job_id', jobId).first();
      if (job.completed_at !== null) return job;
      await soon();
    }
  }
});
