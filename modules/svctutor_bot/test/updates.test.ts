import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { BotKit } from './bot-kit.ts';

const bots = 'svctutor-bot/messenger/v1/bots';

describe('svctutor_bot: updates of a messenger', function () {
  this.timeout(60_000);
  let kit: BotKit;
  let bot: number;

  before(async () => {
    kit = await BotKit.start();
    bot = await kit.messenger({ greeting: 'Welcome!', fallback_text: 'In words, please.' });
  });
  after(() => kit.stop());
  beforeEach(() => kit.reset());

  const sent = async (): Promise<unknown[]> => {
    await kit.settled(bot);
    return kit.telegram.came.map(({ json }) => json);
  };

  it('get a greeting, or a word about what the bot cannot read', async () => {
    await kit.hook(bot, kit.update('/start')).expect(200);
    await kit.hook(bot, kit.update('/start from-a-link')).expect(200);
    await kit.hook(bot, kit.update('x', { text: undefined, photo: [{}] })).expect(200);
    await kit.hook(bot, kit.update('  \n ')).expect(200);
    expect(await sent()).to.deep.equal([
      ...[
        { chat_id: 42, text: 'Welcome!' },
        { chat_id: 42, text: 'Welcome!' },
      ],
      ...[
        { chat_id: 42, text: 'In words, please.' },
        { chat_id: 42, text: 'In words, please.' },
      ],
    ]);
    expect(kit.model.came).to.deep.equal([]);
  });

  it('in groups are answered when they are meant for the bot, as replies', async () => {
    const group = { chat: { id: -100123, type: 'supergroup' } };
    const mention = { entities: [{ type: 'mention', offset: 0, length: 10 }] };
    const meant = [
      kit.update('/ask When?', group),
      kit.update('@tutor_bot When?', { ...group, ...mention }),
      kit.update('And then?', { ...group, reply_to_message: { from: { id: 123456789, is_bot: true } } }),
    ];
    const others = [
      kit.update('Just talk', group),
      kit.update('/asking', group),
      kit.update('@anna_anna When?', { ...group, ...mention }),
      kit.update('Yes', { ...group, reply_to_message: { from: { id: 5 } } }),
    ];
    for (const update of [...meant, ...others]) await kit.hook(bot, update).expect(200);
    expect(await sent()).to.deep.equal(
      meant.map(({ message }, at) => ({
        chat_id: -100123,
        text: `Answer ${at + 1}`,
        reply_parameters: { message_id: (message as { message_id: number }).message_id },
      })),
    );
    expect(kit.model.came[0]?.text).not.to.contain('/ask');
    expect(kit.model.came[1]?.text).not.to.contain('@tutor_bot');
  });

  it('of other kinds, of bots, and such as nobody can read are kept and ignored', async () => {
    const before = (await kit.messages(bot)).length;
    const odd: object[] = [
      ...[kit.update('x', { from: { id: 1, is_bot: true } }), kit.update('x', { text: 7 })],
      ...[kit.update('x', { chat: 'nobody' }), kit.update('x', { chat: { id: 'x', type: 'private' } })],
      ...[kit.update('x', { chat: { id: 1, type: 'channel' } }), kit.update('x', { from: 'x' })],
      ...[kit.update('x', { text: undefined, new_chat_members: [] }), kit.update('x', { message_id: 'x' })],
      ...[
        { ...kit.update('x'), message: undefined, callback_query: {} },
        { ...kit.update('x'), message: [] },
      ],
    ];
    for (const update of odd) await kit.hook(bot, update).expect(200, { ok: true });
    const messages = await kit.messages(bot);
    expect(messages.slice(0, messages.length - before).map(({ state }) => state)).to.deep.equal(
      odd.map(() => 'ignored'),
    );
    expect(await sent()).to.deep.equal([]);
    const { update_id: _id, ...without } = kit.update('x');
    const missing = await kit.hook(bot, without).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    const wrong = await kit.hook(bot, { ...without, update_id: 'x' }).expect(400);
    expect(wrong.body.code).to.equal('rest_invalid_param');
    await kit.hook(bot, { ...kit.update('x'), pad: 'x'.repeat(257 * 1024) }).expect(413);
    await kit.hook(bot + 1000, kit.update('x')).expect(404);
  });

  it('keep their texts as far as they can be kept', async () => {
    await kit.hook(bot, kit.update(`  a\u0000b\u0007\uD800 \n${'😀'.repeat(5000)}`)).expect(200);
    await kit.settled(bot);
    const [, question] = await kit.messages(bot);
    expect(question?.text).to.match(/^ab\uFFFD \n😀/);
    expect([...(question?.text ?? '')]).to.have.length(4000);
  });

  it('of one chat are answered so many a minute, at once or one by one', async () => {
    await kit.settings({ messages_per_minute: 3 });
    const flood = Array.from({ length: 8 }, () => kit.update('Flood', {}, 99));
    await Promise.all(flood.map((update) => kit.hook(bot, update).expect(200, { ok: true })));
    await kit.hook(bot, kit.update('Other chat', {}, 98)).expect(200);
    await kit.settled(bot);
    const states = (await kit.messages(bot))
      .filter(({ chat, direction }) => chat === '99' && direction === 'in')
      .map(({ state }) => state);
    expect(states.sort()).to.deep.equal([
      'ignored',
      'ignored',
      'ignored',
      'ignored',
      'ignored',
      'sent',
      'sent',
      'sent',
    ]);
    expect(kit.telegram.came).to.have.length(4);
    await kit.settings({ messages_per_minute: 20 });
  });

  it('are forgotten when their time is over, and their chats with them', async () => {
    const { knex } = kit.lyceum.host.db;
    await kit.settled(bot);
    await knex('bot_messages').update({ created_at: knex.raw(`created_at - interval '91 days'`) });
    await knex('bot_chats').update({ touched_at: knex.raw(`touched_at - interval '91 days'`) });
    await kit.hook(bot, kit.update('Young', {}, 97)).expect(200);
    await kit.settled(bot);
    await runSchedule(kit.lyceum, 'svctutor_bot.forget-messages');
    expect((await kit.messages(bot)).map(({ chat }) => chat)).to.deep.equal(['97', '97']);
    expect(await knex('bot_chats').pluck('chat')).to.deep.equal(['97']);
  });

  it('with wrong secrets are counted by address, and nothing else is kept of them', async () => {
    const before = await kit.messages(bot);
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1) {
      statuses.push((await kit.hook(bot, kit.update('x'), `wrong ${count}`)).status);
    }
    expect(statuses.slice(0, 55).every((status) => status === 401)).to.equal(true);
    expect(statuses.at(-1)).to.equal(429);
    const { headers, body } = await kit.hook(bot, kit.update('x'), null).expect(429);
    expect(body.code).to.equal('rest_too_many_requests');
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect(await kit.messages(bot)).to.deep.equal(before);
  });

  it('find no route where the tutor is off', async () => {
    await kit.admin.put('svc/modules/v1/modules/svctutor_bot', { enabled: false }).expect(200);
    for (const request of [kit.hook(bot, kit.update('x')), kit.admin.get(bots)]) {
      expect((await request.expect(404)).body.code).to.equal('rest_no_route');
    }
    await kit.admin.put('svc/modules/v1/modules/svctutor_bot', { enabled: true }).expect(200);
    await kit.admin.get(bots).expect(200);
  });
});
