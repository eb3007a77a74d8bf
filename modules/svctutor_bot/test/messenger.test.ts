import { expect } from 'chai';
import { BotKit, secretToken, token } from './bot-kit.ts';
import { say } from './fake-server.ts';

describe('svctutor_bot: a messenger', function () {
  this.timeout(60_000);
  let kit: BotKit;
  let bot: number;

  before(async () => {
    kit = await BotKit.start();
  });
  after(() => kit.stop());
  beforeEach(async () => {
    kit.reset();
    bot = await kit.messenger();
  });
  afterEach(async () => {
    await kit.admin.delete(`svctutor-bot/messenger/v1/bots/${bot}`);
  });

  it('is told at once that all is well, and gets the answer of the tutor', async () => {
    const { body } = await kit.hook(bot, kit.update('When does the library open?')).expect(200);
    expect(body).to.deep.equal({ ok: true });
    await kit.settled(bot);
    expect(kit.telegram.came.map(({ path, json }) => ({ path, json }))).to.deep.equal([
      { path: `/bot${token}/sendMessage`, json: { chat_id: 42, text: 'Answer 1' } },
    ]);
    const [out, question] = await kit.messages(bot);
    expect(question).to.include({ direction: 'in', text: 'When does the library open?', chat: '42' });
    expect(question).to.include({ state: 'sent', attempts: 1, error: null });
    expect(out).to.include({ direction: 'out', text: 'Answer 1', external_id: null, state: 'sent' });
  });

  it('may tell the same twenty times at once: it has one effect', async () => {
    const update = kit.update('Once');
    const answers = await Promise.all(Array.from({ length: 20 }, () => kit.hook(bot, update)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).to.deep.equal(
      new Set(['200 {"ok":true}']),
    );
    expect(await kit.settled(bot)).to.have.length(1);
    expect(kit.telegram.came).to.have.length(1);
    expect(kit.model.came).to.have.length(1);
    await kit.hook(bot, update).expect(200);
    expect(await kit.settled(bot)).to.have.length(1);
  });

  it('is answered within a second, whatever the model does', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    kit.model.respond = async (_came, response) => {
      await goOn;
      say(response, 200, { choices: [{ message: { content: 'Late' } }] });
    };
    const began = performance.now();
    await kit.hook(bot, kit.update('Slow?')).expect(200);
    expect(performance.now() - began).to.be.below(1000);
    await kit.model.times(1);
    // Another chat does not wait for it.
    kit.model.respond = (_came, response) =>
      say(response, 200, { choices: [{ message: { content: 'Quick' } }] });
    await kit.hook(bot, kit.update('Quick?', {}, 43)).expect(200);
    await kit.telegram.times(1);
    expect(kit.telegram.came[0]?.json).to.deep.equal({ chat_id: 43, text: 'Quick' });
    resolve();
    await kit.telegram.times(2);
    await kit.settled(bot);
  });

  it('with a wrong secret or none changes nothing', async () => {
    for (const shown of [null, '', 'wrong', secretToken.slice(1), `${secretToken}x`]) {
      const { body } = await kit.hook(bot, kit.update('Wrong'), shown).expect(401);
      expect(body).to.deep.include({ code: 'rest_forbidden', data: { status: 401 } });
    }
    expect(await kit.settled(bot)).to.deep.equal([]);
  });

  it('has its replies in order, and the conversation goes on', async () => {
    const [first, second] = [kit.update('One?'), kit.update('Two?')];
    await kit.hook(bot, first).expect(200);
    await kit.hook(bot, second).expect(200);
    await kit.settled(bot);
    expect(kit.telegram.came.map(({ json }) => json.text)).to.deep.equal(['Answer 1', 'Answer 2']);
    expect(kit.model.came[1]?.text).to.contain('One?').and.contain('Answer 1');
  });
});
