import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/application-passwords';

const basic = (login: string, password: string) => ({
  headers: { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
});

describe('application passwords', () => {
  let lyceum: TestHost;
  let second: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    second = await startTestHost({ modules: [], beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });

  it('makes one that works at once in every process, and shows it this once', async () => {
    const ann = await lyceum.make.user({ role: 'subscriber' });
    const answer = await lyceum.as(ann).post(route, { name: 'Backup' }).expect(201);
    const { password, uuid, ...rest } = answer.body;
    expect(password).to.match(/^[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}$/);
    expect(answer.headers.location).to.equal(`http://localhost:${lyceum.host.port}/api/${route}/${uuid}`);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(rest).to.deep.include({ name: 'Backup', last_used_at: null, last_ip: null });
    for (const spelled of [password, password.replaceAll(' ', '')]) {
      for (const login of [ann.login, ann.email.toUpperCase()]) {
        const me = await second.as(basic(login, spelled)).get('svc/host/v1/users/me').expect(200);
        expect(me.body.id).to.equal(ann.id);
      }
    }
    const listed = await lyceum.as(ann).get(route).expect(200);
    expect(listed.body.map((entry: { name: string }) => entry.name)).to.include('Backup');
    expect(listed.text).not.to.include(password.slice(0, 9));
    const stored = await lyceum.host.db.knex('application_passwords').where({ uuid }).first();
    expect(stored.hash.toString()).not.to.include(password.replaceAll(' ', ''));
  });

  it('notes when and from where it was used', async () => {
    const ann = await lyceum.make.user();
    const used = async (): Promise<{ last_used_at: string | null; last_ip: string | null }> => {
      const { body } = await lyceum.as(ann).get(route).expect(200);
      return body[0].last_used_at === null ? used() : body[0];
    };
    const entry = await used();
    expect(Math.abs(Date.parse(entry.last_used_at ?? '') - Date.now())).to.be.below(60_000);
    expect(entry.last_ip).to.equal('127.0.0.1');
  });

  it('revokes at once in every process', async () => {
    const ann = await lyceum.make.user();
    const { body } = await lyceum.as(ann).post(route, { name: 'x' }).expect(201);
    const identity = basic(ann.login, body.password);
    await second.as(identity).get(route).expect(200);
    const answer = await lyceum.as(ann).delete(`${route}/${body.uuid}`).expect(200);
    expect(answer.body).to.deep.equal({ deleted: true, uuid: body.uuid });
    const refused = await second.as(identity).get(route).expect(401);
    expect(refused.body.code).to.equal('rest_not_logged_in');
    const again = await lyceum.as(ann).delete(`${route}/${body.uuid}`).expect(404);
    expect(again.body.code).to.equal('application_password_not_found');
  });

  it("knows only one's own", async () => {
    const [ann, bob] = [await lyceum.make.user(), await lyceum.make.user({ superAdminOf: 1 })];
    const { body } = await lyceum.as(ann).post(route, { name: 'of ann' }).expect(201);
    const listed = await lyceum.as(bob).get(route).expect(200);
    expect(listed.text).not.to.include('of ann');
    await lyceum.as(bob).delete(`${route}/${body.uuid}`).expect(404);
    for (const id of ['1', 'x', '00000000-0000-0000-0000-000000000000', '%27or%201=1']) {
      const answer = await lyceum.as(bob).delete(`${route}/${id}`).expect(404);
      expect(answer.body.code).to.equal('application_password_not_found');
    }
  });

  it('keeps 50, also when more are asked for at once', async () => {
    const ann = await lyceum.make.user();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? lyceum : second).as(ann).post(route, { name: `n${index}` }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    // One is that by which ann signs.
    expect([made.length, refused.length]).to.deep.equal([49, 11]);
    expect(refused[0]?.body.code).to.equal('too_many_application_passwords');
    const kept = await lyceum.as(ann).get(route).expect(200);
    expect(kept.body).to.have.length(50);
    await lyceum.as(ann).delete(`${route}/${kept.body[10].uuid}`).expect(200);
    await lyceum.as(ann).post(route, { name: 'room again' }).expect(201);
  });

  it('refuses nobody, a cookie without nonce, and bad names', async () => {
    for (const request of [
      lyceum.anonymous.get(route),
      lyceum.anonymous.post(route, { name: 'x' }),
      lyceum.anonymous.delete(`${route}/x`),
    ]) {
      const answer = await request.expect(401);
      expect(answer.body.code).to.equal('rest_forbidden');
    }
    const ann = await lyceum.make.user();
    const { cookie, signed } = await lyceum.make.session(ann.id);
    await lyceum.as(cookie).post(route, { name: 'x' }).expect(403);
    await lyceum.as(signed).post(route, { name: 'x' }).expect(201);
    const missing = await lyceum.as(ann).post(route, {}).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    for (const name of ['', 'x'.repeat(101), 5, null, ['x'], 'a\0b']) {
      const answer = await lyceum.as(ann).post(route, { name }).expect(400);
      expect(answer.body.code).to.equal('rest_invalid_param');
    }
  });

  it('writes the audit log, without the password', async () => {
    const ann = await lyceum.make.user();
    const { body } = await lyceum.as(ann).post(route, { name: 'audited' }).expect(201);
    await lyceum.as(ann).delete(`${route}/${body.uuid}`).expect(200);
    const rows = await lyceum.host.db
      .knex('audit_log')
      .where({ subject: `application_password:${body.uuid}` })
      .orderBy('id');
    expect(rows.map((row) => [row.module, row.action, row.user_id, row.blog_id])).to.deep.equal([
      ['host', 'application_password.create', ann.id, null],
      ['host', 'application_password.delete', ann.id, null],
    ]);
    expect(rows[0].to).to.deep.equal({ name: 'audited', user_id: ann.id });
    expect(rows[1].from).to.deep.equal({ name: 'audited', user_id: ann.id });
  });
});
