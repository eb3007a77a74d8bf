import { expect } from 'chai';
import { accessToken, BotKit, groupId, vkSecret } from './bot-kit.ts';
import { say } from './fake-server.ts';

const collection = 'svctutor-bot/social/v1/channels';

describe('svctutor_bot: a community', function () {
  this.timeout(60_000);
  let kit: BotKit;
  let channel: number;
  let events = 0;

  before(async () => {
    kit = await BotKit.start();
    channel = await kit.social();
  });
  after(() => kit.stop());
  beforeEach(() => kit.reset());

  const said = (text: string, more: object = {}, envelope: object = {}): object => {
    events += 1;
    const message = {
      ...{ from_id: 77, peer_id: 77, text, date: 1_700_000_000, conversation_message_id: events },
      ...more,
    };
    return {
      ...{ type: 'message_new', group_id: groupId, event_id: `event-${events}`, v: '5.199' },
      ...{ object: { message, client_info: {} }, secret: vkSecret, ...envelope },
    };
  };

  it('is confirmed by its number alone, with exactly the text that was agreed', async () => {
    const answer = await kit.event(channel, { type: 'confirmation', group_id: groupId }).expect(200);
    expect(answer.text).to.equal('1a2b3c4d');
    expect(answer.headers['content-type']).to.match(/^text\/plain/);
    const { body } = await kit.event(channel, { type: 'confirmation', group_id: groupId + 1 }).expect(401);
    expect(body.code).to.equal('rest_forbidden');
  });

  it('is answered once by a message with a number of its own, however often it tells', async () => {
    const event = said('When does the library open?');
    for (let count = 0; count < 3; count += 1) {
      const answer = await kit.event(channel, event).expect(200);
      expect(answer.text).to.equal('ok');
      expect(answer.headers['content-type']).to.match(/^text\/plain/);
    }
    await kit.settled(channel);
    expect(kit.vk.came).to.have.length(1);
    const [sent] = kit.vk.came;
    expect(sent).to.include({ path: '/method/messages.send', type: 'application/x-www-form-urlencoded' });
    const { random_id, ...fields } = Object.fromEntries(sent?.form ?? []);
    expect(fields).to.deep.equal({
      access_token: accessToken,
      v: '5.199',
      peer_id: '77',
      message: 'Answer 1',
    });
    expect(Number(random_id)).to.be.within(1, 2 ** 31 - 1);
  });

  it('gets the same part under the same number after a fault that passes, and none after another', async () => {
    kit.vk.respond = (_came, response, count) =>
      say(response, 200, count === 1 ? { error: { error_code: 6, error_msg: 'Too many' } } : { response: 1 });
    await kit.event(channel, said('Again?')).expect(200);
    expect((await kit.settled(channel)).at(-1)).to.include({ state: 'sent', attempts: 2 });
    const [first, second] = kit.vk.came;
    expect(first?.form.get('random_id')).to.equal(second?.form.get('random_id'));
    kit.vk.respond = (_came, response) =>
      say(response, 200, { error: { error_code: 901, error_msg: `Not allowed, ${accessToken}` } });
    await kit.event(channel, said('Never?')).expect(200);
    const last = (await kit.settled(channel)).at(-1);
    expect(last).to.include({ state: 'failed', attempts: 1 });
    expect(last?.error).to.deep.equal({ code: 'svctutor_bot_send_failed', message: 'Not allowed, ***' });
  });

  it('proves itself by number and secret, or changes nothing', async () => {
    const before = await kit.messages(channel, collection);
    for (const wrong of [
      ...[
        { secret: undefined },
        { secret: '' },
        { secret: 'wrong' },
        { secret: 7 },
        { group_id: groupId + 1 },
      ],
      ...[{ group_id: undefined }, { group_id: String(groupId) }],
    ]) {
      const { body } = await kit.event(channel, said('Wrong', {}, wrong)).expect(401);
      expect(body.code).to.equal('rest_forbidden');
    }
    const { body } = await kit.event(channel, said('No type', {}, { type: undefined })).expect(400);
    expect(body).to.deep.include({ code: 'rest_missing_callback_param' });
    expect(body.data.params).to.deep.equal(['type']);
    await kit.event(channel + 1000, said('Nobody')).expect(404);
    expect(await kit.messages(channel, collection)).to.deep.equal(before);
  });

  it('is not answered in talks of many, by other communities, or about other things', async () => {
    const count = (await kit.messages(channel, collection)).length;
    for (const event of [
      ...[said('Talk', { peer_id: 2_000_000_001 }), said('Community', { from_id: -5, peer_id: -5 })],
      ...[said('Odd', { text: 7 }), said('Odd', { from_id: 'x' }), said('Odd', {}, { object: [] })],
      ...[said('', {}, { type: 'message_typing_state' }), said('', {}, { event_id: 7 })],
    ]) {
      expect((await kit.event(channel, event).expect(200)).text).to.equal('ok');
    }
    const messages = await kit.messages(channel, collection);
    expect(messages.slice(0, messages.length - count).map(({ state }) => state)).to.deep.equal(
      Array.from({ length: 5 }, () => 'ignored'),
    );
    await kit.event(channel, said('  ')).expect(200);
    await kit.settled(channel);
    expect(kit.vk.came.map(({ form }) => form.get('message'))[0]).to.contain('in words');
    expect(kit.model.came).to.deep.equal([]);
  });
});
