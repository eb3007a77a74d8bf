import { expect } from 'chai';
import { bearerOf, connect, items, StudioKit, status, tokens } from './studio-kit.ts';

describe('studio_sync: connecting', () => {
  let kit: StudioKit;
  before(async () => {
    kit = await StudioKit.start();
  });
  after(() => kit.lyceum.stop());

  const editor = (more: object = {}) => kit.lyceum.make.user({ role: 'editor', ...more });

  it('gives a token to those who may edit pages, and to nobody else', async () => {
    const ann = await editor();
    const { body, headers } = await kit.lyceum.as(ann).post(tokens, { label: 'Laptop' }).expect(201);
    expect(body.token).to.match(/^sct_[\w-]{43}$/);
    expect(body.blog_id).to.equal(1);
    expect(body.connect_url).to.equal(`http://localhost:${kit.lyceum.host.port}/api/${connect}`);
    const left = Date.parse(body.expires_at) - Date.now();
    expect(left).to.be.within(590_000, 601_000);
    expect(headers['cache-control']).to.equal('no-store');
    await kit.lyceum.anonymous.post(tokens, {}).expect(401);
    const author = await kit.lyceum.make.user({ role: 'author' });
    expect((await kit.lyceum.as(author).post(tokens, {}).expect(403)).body.code).to.equal('rest_forbidden');
    const site = await kit.lyceum.make.site();
    await kit.lyceum.as(ann, site).post(tokens, {}).expect(403);
    for (const label of ['x'.repeat(101), 5, null, 'a\0b']) {
      expect((await kit.lyceum.as(ann).post(tokens, { label }).expect(400)).body.code).to.equal(
        'rest_invalid_param',
      );
    }
    const [row] = (await kit.audited('connect_token')).slice(-1);
    expect(row).to.deep.include({ user_id: ann.id, subject: `user:${ann.id}` });
    expect(JSON.stringify(row)).not.to.include(body.token);
  });

  it('takes a cookie with its nonce for a token, and no bearer', async () => {
    const ann = await editor();
    const { signed, cookie } = await kit.lyceum.make.session(ann.id);
    await kit.lyceum.as(signed).post(tokens, {}).expect(201);
    await kit.lyceum.as(cookie).post(tokens, {}).expect(403);
    const studio = await kit.studio(ann);
    expect((await kit.lyceum.as(studio).post(tokens, {}).expect(401)).body.code).to.equal('rest_forbidden');
  });

  it('makes a connection of a token, once', async () => {
    const ann = await editor();
    const token = await kit.connectToken(ann);
    const body = { device_name: 'Tower', platform: 'linux', app_version: '2.4' };
    const { body: made, headers } = await kit.connect(token, { body }).expect(200);
    const { connection_id, access_token, ...rest } = made;
    expect(access_token).to.match(/^sst_[\w-]{43}$/);
    expect(headers['cache-control']).to.equal('no-store');
    const home = `http://localhost:${kit.lyceum.host.port}/`;
    expect(rest).to.deep.equal({
      success: true,
      token_type: 'Bearer',
      status: 'connected',
      user: { id: ann.id, displayName: ann.login, email: ann.email, nicename: ann.login },
      site: {
        blog_id: 1,
        title: rest.site.title,
        site_url: home,
        api_url: `${home}api/svc/studio-sync/v1`,
        admin_url: `${home}console/`,
        current: true,
      },
    });
    const again = await kit.connect(token).expect(401);
    expect(again.body.code).to.equal('studio_sync_invalid_connect_token');
    const shown = await kit.lyceum.as(bearerOf(connection_id, access_token)).get(status).expect(200);
    expect(shown.body).to.deep.include({ connection_id, ...body, status: 'connected', api_version: 'v1' });
    const [row] = (await kit.audited('connect')).slice(-1);
    expect(row).to.deep.include({ user_id: ann.id, subject: `connection:${connection_id}` });
  });

  it('makes one connection for fifty at once', async () => {
    const token = await kit.connectToken(await editor());
    const answers = await Promise.all(Array.from({ length: 50 }, () => kit.connect(token)));
    expect(answers.filter((answer) => answer.status === 200)).to.have.length(1);
    const refused = answers.filter((answer) => answer.body.code === 'studio_sync_invalid_connect_token');
    expect(refused).to.have.length(49);
  });

  it('refuses alike what is unknown, over, used, of another site, or of the other kind', async () => {
    const ann = await editor();
    const site = await kit.lyceum.make.site();
    const over = await kit.connectToken(ann);
    await kit.knex('studio_connect_tokens').update({ expires_at: new Date(Date.now() - 1) });
    const used = await kit.connectToken(ann);
    await kit.connect(used).expect(200);
    const elsewhere = await kit.connectToken(ann);
    const answers = [
      await kit.connect(`sct_${'A'.repeat(43)}`),
      await kit.connect('nothing of the kind'),
      await kit.connect('ж'.repeat(50_000)),
      await kit.connect(over),
      await kit.connect(used),
      await kit.connect(elsewhere, { site }),
      await kit.connect((await kit.studio(ann)).token),
    ];
    for (const answer of answers) {
      expect(answer.status).to.equal(401);
      expect(answer.body).to.deep.equal(answers[0]?.body);
    }
    await kit.connect(elsewhere).expect(200);
  });

  it('names what is wrong with the request, under its own code', async () => {
    const absent = await kit.from(kit.freshAddress()).post(connect, {}).expect(400);
    expect(absent.body.code).to.equal('studio_sync_bad_connect_request');
    expect(absent.body.data.params).to.deep.equal(['token', 'device_name']);
    const bad: readonly (readonly [string, object])[] = [
      ['token', { token: 5 }],
      ['token', { token: '' }],
      ['device_name', { device_name: '' }],
      ['device_name', { device_name: '   ' }],
      ['device_name', { device_name: 'x'.repeat(101) }],
      ['device_name', { device_name: 'a\0b' }],
      ['platform', { platform: 'x'.repeat(51) }],
      ['app_version', { app_version: [] }],
    ];
    for (const [name, body] of bad) {
      const { body: said } = await kit.connect('sct_x', { body }).expect(400);
      expect(said.code).to.equal('studio_sync_bad_connect_request');
      expect(Object.keys(said.data.params)).to.deep.equal([name]);
    }
    const broken = await kit
      .from(kit.freshAddress())
      .post(connect)
      .set('Content-Type', 'application/json')
      .send('{')
      .expect(400);
    expect(broken.body.code).to.equal('rest_invalid_json');
  });

  it('leaves the token alone when its user may not connect now', async () => {
    const ann = await editor();
    const token = await kit.connectToken(ann);
    const membership = { blog_id: 1, user_id: ann.id };
    await kit.knex('memberships').where(membership).update({ role: 'author' });
    const denied = await kit.connect(token).expect(403);
    expect(denied.body.code).to.equal('studio_sync_insufficient_permissions');
    await kit.knex('memberships').where(membership).update({ role: 'editor' });
    await kit.lyceum.make.settings('studio_sync', { max_connections_per_user: 1 });
    const first = await kit.studio(ann);
    const many = await kit.connect(token).expect(409);
    expect(many.body.code).to.equal('studio_sync_too_many_connections');
    await kit.lyceum
      .as(first)
      .post('svc/studio-sync/v1/desktop/disconnect', { connection_id: first.connection_id })
      .expect(200);
    await kit.connect(token).expect(200);
    await kit.lyceum.make.settings('studio_sync', { max_connections_per_user: 20 });
  });

  it('makes no more connections than allowed, however many tokens come at once', async () => {
    const ann = await editor();
    await kit.lyceum.make.settings('studio_sync', { max_connections_per_user: 3 });
    const drawn = await Promise.all(Array.from({ length: 10 }, () => kit.connectToken(ann)));
    const answers = await Promise.all(drawn.map((token) => kit.connect(token)));
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([
      ...Array(3).fill(200),
      ...Array(7).fill(409),
    ]);
    await kit.lyceum.make.settings('studio_sync', { max_connections_per_user: 20 });
  });

  it('keeps ten live tokens of a user and drops the oldest', async () => {
    const ann = await editor();
    const drawn: string[] = [];
    for (let made = 0; made < 11; made += 1) drawn.push(await kit.connectToken(ann));
    await kit.connect(drawn[0]).expect(401);
    await kit.connect(drawn[1]).expect(200);
    await Promise.all(Array.from({ length: 30 }, () => kit.connectToken(ann)));
    const live = await kit.knex('studio_connect_tokens').where({ user_id: ann.id }).whereNull('used_at');
    expect(live).to.have.length(10);
  });

  it('stops an address after ten failures in a minute', async () => {
    const address = kit.freshAddress();
    for (let tried = 0; tried < 10; tried += 1) await kit.connect('sct_x', { address }).expect(401);
    const { body, headers } = await kit.connect('sct_x', { address }).expect(429);
    expect(body.code).to.equal('rest_too_many_requests');
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    const at = kit.freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => kit.connect('sct_x', { address: at })),
    );
    expect(answers.filter((answer) => answer.status === 401)).to.have.length(10);
    expect(answers.filter((answer) => answer.status === 429)).to.have.length(30);
  });

  it('keeps no token where anybody could read it: not in tables, not in the log', async () => {
    const logLines: string[] = [];
    const other = await StudioKit.start({ logLines });
    const ann = await other.lyceum.make.user({ role: 'editor' });
    const token = await other.connectToken(ann);
    const { body } = await other.connect(token).expect(200);
    await other.connect(token).expect(401);
    await other.lyceum.as(bearerOf(body.connection_id, body.access_token)).get(items).expect(200);
    const dumps = await Promise.all(
      ['studio_connect_tokens', 'studio_connections', 'audit_log', 'idempotency_keys'].map((table) =>
        other.knex.raw(`select string_agg(t::text, '') as dump from ?? t`, [table]),
      ),
    );
    const text = [...logLines, JSON.stringify(dumps.map(({ rows }) => rows))].join('\n');
    expect(text).to.include(body.connection_id);
    for (const secret of [token, body.access_token]) {
      expect(text).not.to.include(secret);
      expect(text).not.to.include(Buffer.from(secret).toString('hex'));
    }
    await other.lyceum.stop();
  });
});
