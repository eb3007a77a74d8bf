import { Jobs } from '@lyceum/core';
import { killWorker, startWorker } from '@lyceum/core/testing';
import { expect } from 'chai';
import { BotKit, token } from './bot-kit.ts';
import { answerAs, say } from './fake-server.ts';

describe('svctutor_bot: answers on their way', function () {
  this.timeout(90_000);
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

  const texts = (): unknown[] => kit.telegram.came.map(({ json }) => json.text);

  it('wait as long as the platform wants it, and are sent then', async () => {
    kit.telegram.respond = (_came, response, count) =>
      count === 1
        ? say(response, 429, { ok: false, error_code: 429, parameters: { retry_after: 2 } })
        : say(response, 200, { ok: true });
    await kit.hook(bot, kit.update('Again?')).expect(200);
    const [message] = await kit.settled(bot);
    expect(message).to.include({ state: 'sent', attempts: 2 });
    const [first, second] = kit.telegram.came;
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(2000);
    expect(kit.model.came).to.have.length(1);
  });

  for (const status of [400, 401, 403, 404]) {
    it(`are given up at ${status}, and no secret stands in what is said of it`, async () => {
      kit.telegram.respond = (_came, response) =>
        say(response, status, {
          ok: false,
          error_code: status,
          description: `No: ${token} ${'x'.repeat(400)}`,
        });
      await kit.hook(bot, kit.update('No?')).expect(200);
      const [message] = await kit.settled(bot);
      expect(message).to.include({ state: 'failed', attempts: 1 });
      expect(message?.error?.code).to.equal('svctutor_bot_send_failed');
      expect(message?.error?.message)
        .to.match(/^No: \*\*\* x+$/)
        .and.have.length(300);
      expect(kit.telegram.came).to.have.length(1);
      const jobs = await kit.lyceum.host.db.knex('jobs').where({ type: 'svctutor_bot.reply' });
      expect(JSON.stringify(jobs)).not.to.contain(token);
      expect(jobs.at(-1)).to.include({ status: 'failed' });
    });
  }

  it('are tried again after a fault of the server, without asking the model again', async () => {
    kit.telegram.respond = (_came, response, count) => say(response, count === 1 ? 502 : 200, {});
    await kit.hook(bot, kit.update('Fault?')).expect(200);
    const [message] = await kit.settled(bot);
    expect(message).to.include({ state: 'sent', attempts: 2 });
    expect(kit.model.came).to.have.length(1);
  });

  it('are the fallback when the model fails four times, and say why', async () => {
    kit.model.respond = (_came, response) => say(response, 500, { error: {} });
    await kit.admin.patch(`svctutor-bot/messenger/v1/bots/${bot}`, { fallback_text: 'Not now.' }).expect(200);
    await kit.hook(bot, kit.update('Broken?')).expect(200);
    // As if the longest pause were over.
    const { knex } = kit.lyceum.host.db;
    await kit.model.times(1);
    await knex('bot_messages').where({ bot_id: bot, direction: 'in' }).update({ failures: 3 });
    const [message] = await kit.settled(bot);
    expect(message).to.include({ state: 'sent' });
    expect(message?.error?.code).to.equal('ai_provider_error');
    expect(texts()).to.deep.equal(['Not now.']);
    expect(kit.model.came.length).to.be.within(2, 3);
  });

  it('in several parts lose no character, and go on behind the last one after a worker was lost', async () => {
    const quiet = await BotKit.start({ config: { workers: 'off' } });
    try {
      const id = await quiet.messenger();
      const long = `${'a'.repeat(4000)}\n${'b'.repeat(4000)}\n${'😀'.repeat(10)}`;
      quiet.model.respond = (_came, response) => answerAs(response, long);
      const hanging = Promise.withResolvers<void>();
      quiet.telegram.respond = (_came, response, count) => {
        if (count === 2) hanging.resolve();
        else say(response, 200, { ok: true });
      };
      const worker = await startWorker(quiet.lyceum, ['ai', 'svctutor_bot']);
      await quiet.hook(id, quiet.update('Long?')).expect(200);
      await hanging.promise;
      await killWorker(worker);
      const row = await quiet.lyceum.host.db
        .knex('bot_messages')
        .where({ bot_id: id, direction: 'in' })
        .first();
      expect(row).to.include({ state: 'sending', parts_sent: 1 });
      const next = await startWorker(quiet.lyceum, ['ai', 'svctutor_bot']);
      const [message] = await quiet.settled(id);
      await killWorker(next);
      expect(message).to.include({ state: 'sent', parts_sent: 2 });
      const sent = quiet.telegram.came.map(({ json }) => String(json.text));
      // The second was on its way when its worker was lost; the first is not sent again.
      expect(sent.map((text) => text[0])).to.deep.equal(['a', 'b', 'b']);
      expect([sent[0], sent[2]].join('\n')).to.equal(long);
      expect(quiet.model.came).to.have.length(1);
    } finally {
      await quiet.stop();
    }
  });

  it('stop before the next part when the bot is switched off', async () => {
    kit.model.respond = (_came, response) => answerAs(response, `${'a'.repeat(4096)}\n${'b'.repeat(10)}`);
    kit.telegram.respond = async (_came, response) => {
      await kit.admin.patch(`svctutor-bot/messenger/v1/bots/${bot}`, { enabled: false }).expect(200);
      say(response, 200, { ok: true });
    };
    await kit.hook(bot, kit.update('Two parts?')).expect(200);
    const [message] = await kit.settled(bot);
    expect(message).to.include({ state: 'failed', parts_sent: 1 });
    expect(message?.error?.code).to.equal('svctutor_bot_disabled');
    expect(kit.telegram.came).to.have.length(1);
    await kit.hook(bot, kit.update('Off?')).expect(404);
  });

  it('of a bot that is deleted are not sent, and their jobs end cancelled', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    kit.model.respond = async (_came, response) => {
      await goOn;
      answerAs(response, 'Late');
    };
    await kit.hook(bot, kit.update('First?')).expect(200);
    await kit.hook(bot, kit.update('Second?')).expect(200);
    await kit.model.times(1);
    const { knex } = kit.lyceum.host.db;
    const ids: string[] = await knex('bot_messages').where({ bot_id: bot }).orderBy('id').pluck('job_id');
    await kit.admin.delete(`svctutor-bot/messenger/v1/bots/${bot}`).expect(200);
    const jobs = kit.lyceum.host.services.host(Jobs);
    const signal = AbortSignal.timeout(20_000);
    for (const id of ids) {
      for (
        let job = await jobs.find(id);
        job?.status !== 'cancelled';
        job = await jobs.wait(id, 20, signal)
      ) {
        expect(job?.status).to.be.oneOf(['pending', 'running']);
      }
    }
    resolve();
    expect(kit.telegram.came).to.deep.equal([]);
    expect(await knex('bot_messages').where({ bot_id: bot })).to.deep.equal([]);
  });
});
