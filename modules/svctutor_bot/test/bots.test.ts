import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import {
  accessToken,
  BotKit,
  groupId,
  providerToken,
  secretToken,
  token,
  vkSecret,
  widgetSecret,
} from './bot-kit.ts';
import { say } from './fake-server.ts';

const bots = 'svctutor-bot/messenger/v1/bots';
const social = 'svctutor-bot/social/v1/channels';
const widget = 'svctutor-bot/chat-widget/v1/channels';

const secrets = [token, secretToken, accessToken, vkSecret, widgetSecret, providerToken];

describe('svctutor_bot: bots as administrators keep them', function () {
  this.timeout(60_000);
  let kit: BotKit;
  const logLines: string[] = [];

  before(async () => {
    kit = await BotKit.start({ logLines });
  });
  after(() => kit.stop());
  beforeEach(async () => {
    kit.reset();
    await kit.lyceum.host.db.knex('bots').delete();
  });

  it('are made, shown, changed, listed and deleted, one kind apart from the others', async () => {
    const { body } = await kit.admin
      .post(bots, { name: 'Tutor', token, secret_token: secretToken, api_base_url: `${kit.telegram.url}/` })
      .expect(201);
    const { id, created_at, modified_at, greeting, fallback_text, ...rest } = body;
    expect(rest).to.deep.equal({
      ...{
        kind: 'messenger',
        name: 'Tutor',
        enabled: true,
        lang: 'en',
        token_set: true,
        secret_token_set: true,
      },
      ...{ api_base_url: kit.telegram.url },
      callback_url: `${kit.lyceum.origin.replace('127.0.0.1', 'localhost')}/api/svctutor-bot/messenger/v1/webhook/${id}`,
    });
    expect([greeting, fallback_text, created_at, modified_at].every((text) => text.length > 10)).to.equal(
      true,
    );
    expect((await kit.admin.get(`${bots}/${id}`).expect(200)).body).to.deep.equal(body);
    expect((await kit.admin.get(bots).expect(200)).body).to.deep.equal([body]);
    for (const other of [social, widget]) {
      expect((await kit.admin.get(other).expect(200)).body).to.deep.equal([]);
      for (const request of [
        ...[kit.admin.get(`${other}/${id}`), kit.admin.patch(`${other}/${id}`, { name: 'x' })],
        ...[kit.admin.delete(`${other}/${id}`), kit.admin.get(`${other}/${id}/messages`)],
      ]) {
        expect((await request.expect(404)).body.code).to.equal('svctutor_bot_not_found');
      }
    }
    const changed = await kit.admin.patch(`${bots}/${id}`, { greeting: 'Hi', lang: 'ru-RU' }).expect(200);
    expect(changed.body).to.include({ name: 'Tutor', greeting: 'Hi', lang: 'ru-RU', token_set: true });
    expect(changed.body.fallback_text).to.match(/получается/);
    expect((await kit.admin.patch(`${bots}/${id}`, { greeting: '' }).expect(200)).body.greeting).to.match(
      /Здравствуйте/,
    );
    expect((await kit.admin.delete(`${bots}/${id}`).expect(200)).body).to.deep.equal({ deleted: true, id });
    await kit.admin.get(`${bots}/${id}`).expect(404);
    const notes = await kit.lyceum.host.db.knex('audit_log').where({ module: 'svctutor_bot' }).orderBy('id');
    expect(notes.map(({ action }) => action)).to.deep.equal([
      ...['svctutor_bot.create', 'svctutor_bot.update', 'svctutor_bot.update', 'svctutor_bot.delete'],
    ]);
    expect(notes[1]?.to).to.deep.equal({ changed: ['greeting', 'lang'] });
  });

  it('get a secret from the server where nobody gives one, told once', async () => {
    const { body } = await kit.admin
      .post(bots, { name: 'A', token, api_base_url: kit.telegram.url })
      .expect(201);
    expect(body.secret_token).to.match(/^[A-Za-z0-9_-]{43}$/);
    const shown = await kit.admin.get(`${bots}/${body.id}`).expect(200);
    expect(shown.text).not.to.contain(body.secret_token);
    await kit.hook(body.id, kit.update('x'), body.secret_token).expect(200);
    const made = (await kit.admin.post(widget, { name: 'W' }).expect(201)).body;
    expect(made).to.include({ delivery: 'response', callback_base_url: null, provider_token_set: false });
    expect(made.allowed_origins).to.deep.equal([]);
    const event = { event: 'AGENT_JOINED', id: '1', client_id: '1', chat_id: '1' };
    await kit.chat(made.id, event, made.secret).expect(200);
    // A secret changes when it is sent, and only then.
    await kit.admin.patch(`${widget}/${made.id}`, { name: 'V' }).expect(200);
    await kit.chat(made.id, event, made.secret).expect(200);
    await kit.admin.patch(`${widget}/${made.id}`, { secret: widgetSecret }).expect(200);
    await kit.chat(made.id, event, made.secret).expect(401);
    await kit.chat(made.id, event).expect(200);
  });

  it('are refused with whatever is missing or wrong', async () => {
    const missing = async (route: string, body: object): Promise<unknown> => {
      const answer = await kit.admin.post(route, body).expect(400);
      expect(answer.body.code).to.equal('rest_missing_callback_param');
      return answer.body.data.params;
    };
    expect(await missing(bots, {})).to.have.members(['name', 'token']);
    expect(await missing(social, { name: 'x' })).to.have.members([
      ...['access_token', 'group_id', 'confirmation', 'secret'],
    ]);
    expect(await missing(widget, { name: 'x', delivery: 'callback' })).to.have.members([
      ...['callback_base_url', 'provider_token'],
    ]);
    const wrong = async (route: string, body: object): Promise<void> => {
      const answer = await kit.admin.post(route, body).expect(400);
      expect(answer.body.code, JSON.stringify(body)).to.equal('rest_invalid_param');
    };
    for (const field of [
      ...[
        { token: 'x' },
        { token: `${token}/` },
        { secret_token: 'short' },
        { name: '' },
        { name: 'x'.repeat(101) },
      ],
      ...[
        { api_base_url: 'http://10.0.0.1' },
        { api_base_url: 'ftp://a.example' },
        { lang: '!' },
        { enabled: 'yes' },
      ],
      ...[
        { api_base_url: 'https://u:p@a.example' },
        { api_base_url: 'https://a.example/?x' },
        { greeting: 7 },
      ],
    ]) {
      await wrong(bots, { name: 'x', token, ...field });
    }
    const channel = { name: 'x', access_token: 'x', group_id: 1, confirmation: 'x', secret: 'x' };
    for (const field of [
      { group_id: 0 },
      { group_id: '1' },
      { secret: 'x'.repeat(51) },
      { api_version: 'new' },
    ]) {
      await wrong(social, { ...channel, ...field });
    }
    for (const field of [
      ...[{ secret: 'short' }, { allowed_origins: ['*'] }, { allowed_origins: ['https://a.example/'] }],
      ...[
        { delivery: 'mail' },
        { allowed_origins: Array.from({ length: 51 }, (_one, at) => `https://a${at}.example`) },
      ],
    ]) {
      await wrong(widget, { name: 'x', ...field });
    }
    expect(await kit.lyceum.host.db.knex('bots')).to.deep.equal([]);
  });

  it('are for administrators of their site alone', async () => {
    const id = await kit.messenger();
    const { make } = kit.lyceum;
    const site = await make.site();
    const editor = kit.lyceum.as(await make.user({ role: 'editor' }));
    const elsewhere = kit.lyceum.as(await make.user({ role: 'administrator', site: site.blog_id }), site);
    const each = (client: Client) => [
      ...[
        client.get(`${bots}/${id}`),
        client.patch(`${bots}/${id}`, { name: 'x' }),
        client.delete(`${bots}/${id}`),
      ],
      ...[client.get(`${bots}/${id}/messages`), client.post(`${bots}/${id}/set-webhook`)],
    ];
    for (const request of [...each(kit.lyceum.anonymous), kit.lyceum.anonymous.get(bots)])
      await request.expect(401);
    for (const request of [...each(editor), editor.get(bots), editor.post(bots, { name: 'x', token })]) {
      await request.expect(403);
    }
    for (const request of each(elsewhere)) {
      expect((await request.expect(404)).body.code).to.equal('svctutor_bot_not_found');
    }
    expect((await elsewhere.get(bots).expect(200)).body).to.deep.equal([]);
    const there = kit.lyceum.as({ headers: { 'X-Telegram-Bot-Api-Secret-Token': secretToken } }, site);
    await there.post(`svctutor-bot/messenger/v1/webhook/${id}`, kit.update('x')).expect(404);
  });

  it('are as many of a kind as the site may have, also when many are made at once', async () => {
    await kit.settings({ max_bots: 2 });
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        kit.admin.post(bots, { name: 'x', token }).then(({ status }) => status),
      ),
    );
    expect(made.sort()).to.deep.equal([201, 201, 409, 409, 409, 409]);
    const { body } = await kit.admin.post(bots, { name: 'x', token }).expect(409);
    expect(body.code).to.equal('svctutor_bot_limit');
    await kit.admin.post(widget, { name: 'x' }).expect(201);
    await kit.settings({ max_bots: 20 });
  });

  it('are made known to their messenger, or it is said why not', async () => {
    const id = await kit.messenger();
    const { body } = await kit.admin.post(`${bots}/${id}/set-webhook`).expect(200);
    expect(body).to.deep.equal({ ok: true, description: 'Webhook was set' });
    const [came] = kit.telegram.came;
    expect(came?.path).to.equal(`/bot${token}/setWebhook`);
    const { url, ...rest } = came?.json ?? {};
    expect(url).to.match(new RegExp(`/api/svctutor-bot/messenger/v1/webhook/${id}$`));
    expect(rest).to.deep.equal({
      ...{ secret_token: secretToken, allowed_updates: ['message'], max_connections: 40 },
    });
    kit.telegram.respond = (_came, response) =>
      say(response, 401, { ok: false, description: `Unauthorized ${token} ${secretToken}` });
    const refused = await kit.admin.post(`${bots}/${id}/set-webhook`).expect(502);
    expect(refused.body.code).to.equal('svctutor_bot_api_error');
    expect(refused.body.data.description).to.equal('Unauthorized *** ***');
    await kit.lyceum.make.settings('host', { outbound_allow: [] });
    const forbidden = await kit.admin.post(`${bots}/${id}/set-webhook`).expect(502);
    await kit.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    expect(forbidden.body.data.description).to.equal('The address is not one that may be called.');
    await kit.admin.post(`${bots}/${id + 1000}/set-webhook`).expect(404);
  });

  it('show their secrets nowhere', async () => {
    const ids = {
      [bots]: await kit.messenger(),
      [social]: await kit.social(),
      [widget]: await kit.widget({ provider_token: providerToken }),
    };
    kit.telegram.respond = (_came, response) => say(response, 403, { ok: false, description: `bot${token}` });
    kit.vk.respond = (_came, response) =>
      say(response, 200, {
        error: { error_code: 5, error_msg: `access_token=${accessToken}&secret=${vkSecret}` },
      });
    await kit.hook(ids[bots] ?? 0, kit.update('x')).expect(200);
    const event = { type: 'message_new', event_id: 'e', group_id: groupId, secret: vkSecret };
    await kit
      .event(ids[social] ?? 0, { ...event, object: { message: { from_id: 1, peer_id: 1, text: 'x' } } })
      .expect(200);
    const seen: string[] = [];
    for (const [route, id] of Object.entries(ids)) {
      await kit.settled(id);
      for (const path of [route, `${route}/${id}`, `${route}/${id}/messages`]) {
        seen.push((await kit.admin.get(path).expect(200)).text);
      }
    }
    const { knex } = kit.lyceum.host.db;
    for (const table of ['bots', 'bot_messages', 'jobs', 'job_events', 'audit_log']) {
      seen.push(JSON.stringify(await knex(table)));
    }
    const all = [...seen, ...logLines].join('\n');
    expect(all).to.contain('svctutor_bot_send_failed');
    for (const secret of secrets) expect(all.includes(secret), secret).to.equal(false);
  });
});
