import assert from 'node:assert/strict';
import path from 'node:path';
import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';

const notes = 'acme/my-module/v1/notes';

describe('my_module: notes', () => {
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    // The true host with this one package, on a PostgreSQL database of its own.
    lyceum = await startTestHost({
      package: path.resolve(import.meta.dirname, '..'),
      config: { workers: 'inline' },
    });
    admin = lyceum.as(await lyceum.make.admin());
    await admin.put('svc/modules/v1/modules/my_module', { enabled: true }).expect(200);
  });
  // Fails when an operation threw a code that it does not declare.
  afterEach(() => lyceum.stop());

  it('are added, listed, and counted by the job', async () => {
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    const { body: added } = await author.post(notes, { text: 'Water the plants.' }).expect(201);
    assert.equal(added.text, 'Water the plants.');
    for (;;) {
      const { body } = await author.get(notes).expect(200);
      assert.equal(body[0].id, added.id);
      if (body[0].words === 3) break;
    }
  });

  it('are refused without a text, and without the right to write', async () => {
    const { body } = await admin.post(notes, {}).expect(400);
    assert.equal(body.code, 'rest_missing_callback_param');
    await admin.post(notes, { text: '' }).expect(400);
    await lyceum.anonymous.post(notes, { text: 'x' }).expect(401);
    const reader = lyceum.as(await lyceum.make.user({ role: 'subscriber' }));
    await reader.post(notes, { text: 'x' }).expect(403);
  });

  it('are as many as the setting allows, whoever is quick', async () => {
    const settings = { settings: { most_notes: 2 } };
    await admin.patch('svc/modules/v1/modules/my_module/settings', settings).expect(200);
    const answers = await Promise.all([1, 2, 3, 4].map((n) => admin.post(notes, { text: `Note ${n}` })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  });

  it('belong to their site', async () => {
    const other = await lyceum.make.site();
    await admin.post(notes, { text: 'Here only.' }).expect(201);
    const there = lyceum.as(await lyceum.make.user({ role: 'author', site: other.blog_id }), other);
    await there.get(notes).expect(200, []);
  });

  it('are not there while the module is off', async () => {
    await admin.put('svc/modules/v1/modules/my_module', { enabled: false }).expect(200);
    const { body } = await admin.get(notes).expect(404);
    assert.equal(body.code, 'rest_no_route');
  });
});
