import { expect } from 'chai';
import { ChatKit, route } from './chat-kit.ts';
import { FakeModel } from './fake-model.ts';

const path = `${route}/chat`;
const message = 'When does the library open?';

describe('ai: many questions at once', function () {
  this.timeout(40_000);

  it('ask the model four at a time; the others wait, and not for ever', async () => {
    const model = new FakeModel();
    const kit = await ChatKit.withModel(model);
    try {
      const { promise: goOn, resolve } = Promise.withResolvers<void>();
      const { promise: first, resolve: endFirst } = Promise.withResolvers<void>();
      model.respond = async (_asked, response) => {
        await (model.asked.length === 1 ? first : goOn);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end('{"choices":[{"message":{"content":"Nine [1]"}}]}');
      };
      const began = performance.now();
      const all = Array.from({ length: 6 }, () => kit.chat.post(path, { message }).then((answer) => answer));
      await model.askedTimes(4);
      endFirst();
      await model.askedTimes(5);
      const refused = await Promise.any(
        all.map((one) => one.then((answer) => (answer.status === 503 ? answer : Promise.reject(answer)))),
      );
      expect(performance.now() - began).to.be.within(9_500, 20_000);
      expect(refused.body.code).to.equal('ai_busy');
      expect(Number(refused.headers['retry-after'])).to.be.above(0);
      expect(model.asked).to.have.length(5);
      resolve();
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 200, 200, 200, 200, 503]);
      expect((await kit.ask(message)).answer).to.equal('Nine [1]');
    } finally {
      await kit.stopWith(model);
    }
  });
});
