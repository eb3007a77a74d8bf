import { expect } from 'chai';
import { ChatKit, library, route } from './chat-kit.ts';
import { FakeModel } from './fake-model.ts';

describe('ai: answers of a language model', () => {
  let kit: ChatKit;
  const model = new FakeModel();

  before(async () => {
    kit = await ChatKit.withModel(model);
  });
  after(() => kit.stopWith(model));
  beforeEach(() => model.reset());

  const question = 'When does the library open?';

  it('have the markers that lead somewhere, and the model is given the texts', async () => {
    model.pieces = ['Nine [1] [7]'];
    const answer = await kit.ask(question);
    expect(answer).to.include({
      answer: 'Nine [1]',
      no_answer: false,
      provider: 'openai',
      model: 'gpt-4o-mini',
    });
    expect(answer.usage).to.deep.equal({ prompt_tokens: 40, completion_tokens: 3 });
    expect(answer.citations).to.have.length(1);
    expect(answer.citations[0]).to.include({ n: 1, id_post: kit.libraryPage, quote: library.texts[0] });
    const [asked] = model.asked;
    expect(asked?.path).to.equal('/v1/chat/completions');
    expect(asked?.headers.authorization).to.equal('Bearer sk-kept-to-ourselves');
    const { messages, ...body } = asked?.body ?? { messages: [] };
    expect(body).to.deep.equal({ model: 'gpt-4o-mini', temperature: 0.2, max_tokens: 800, stream: false });
    expect(messages.map(({ role }) => role)).to.deep.equal(['system', 'user']);
    expect(messages[0]?.content).to.include('[1] Library\nThe library opens at 9:00. Bring your card.');
    expect(messages[1]?.content).to.equal(question);
    expect(JSON.stringify(messages)).to.not.include('sk-kept');
  });

  it('follow the settings of the site', async () => {
    await kit.settings({
      ...{ model: 'small', temperature: 1.5, max_tokens: 60, system_prompt: 'Be a pirate.' },
      ...{ provider_key: null, provider_url: `${model.url}/?version=2` },
    });
    const { model: name } = await kit.ask(question);
    expect(name).to.equal('small');
    const [asked] = model.asked;
    expect(asked?.path).to.equal('/v1/chat/completions?version=2');
    expect(asked?.headers).to.not.have.property('authorization');
    expect(asked?.body).to.include({ model: 'small', temperature: 1.5, max_tokens: 60 });
    expect(asked?.body.messages[0]?.content).to.match(/^Be a pirate\.\n\n\[1\] Library/);
    await kit.settings({ model: null, temperature: null, max_tokens: null, system_prompt: null });
    await kit.useModel(model.url);
  });

  it('are not asked for where nothing is found, unless the site wants that', async () => {
    const peru = 'What is the capital of Peru?';
    expect(await kit.ask(peru)).to.deep.include({ no_answer: true, citations: [], provider: 'openai' });
    expect(model.asked).to.have.length(0);
    await kit.settings({ answer_without_sources: true });
    model.pieces = ['Lima [1]'];
    expect(await kit.ask(peru)).to.deep.include({ answer: 'Lima', no_answer: false, citations: [] });
    expect(model.asked[0]?.body.messages[0]?.content).to.include('no sources');
    await kit.settings({ answer_without_sources: null });
  });

  it('remember the conversation, as far back as the site wants', async () => {
    const first = await kit.ask(question);
    const { conversation_id } = first;
    await kit.ask('Is that so on Sundays at the library?', { conversation_id });
    const [, second] = model.asked;
    expect(second?.body.messages.slice(1)).to.deep.equal([
      { role: 'user', content: question },
      { role: 'assistant', content: first.answer },
      { role: 'user', content: 'Is that so on Sundays at the library?' },
    ]);
    await kit.settings({ history_messages: 1 });
    await kit.ask('And does the library open on Mondays?', { conversation_id });
    expect(model.asked[2]?.body.messages.slice(1).map(({ role }) => role)).to.deep.equal([
      'assistant',
      'user',
    ]);
    await kit.settings({ history_messages: 0 });
    await kit.ask('And does the library open on Fridays?', { conversation_id });
    expect(model.asked[3]?.body.messages.slice(1)).to.have.length(1);
    await kit.settings({ history_messages: null });
  });

  it('are made from as much text as fits, with markers for that alone', async () => {
    const long = 'Quokkas are small wallabies. '.repeat(40);
    await kit.publish({ title: 'Quokka', texts: [long, `Quokka two. ${long}`, `Quokka three. ${long}`] });
    await kit.settings({ context_tokens: 350 });
    model.pieces = ['Small [1] [2] [3]'];
    const { answer, citations } = await kit.ask('What are quokkas?');
    expect(answer).to.equal('Small [1] [2]');
    expect(citations).to.have.length(2);
    const system = model.asked[0]?.body.messages[0]?.content ?? '';
    const sources = system.slice(system.indexOf('[1] Quokka'));
    expect(Buffer.byteLength(sources)).to.be.within(1_000, 350 * 4 + 10);
    expect([...(citations[0]?.quote ?? '')]).to.have.length(300);
    await kit.settings({ context_tokens: null });
  });

  it('are asked for in the language of the question', async () => {
    await kit.ask(question, { lang: 'ru' });
    expect(model.asked[0]?.body.messages[0]?.content).to.match(/^Вы тьютор/);
  });

  it('may come as events where a whole one was asked for, and the other way round', async () => {
    model.respond = (_asked, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      // The last event has no end, and there is no [DONE]: servers are like that.
      response.end(
        'data: {"choices":[{"delta":{"content":"Ni"}}]}\n\n: ping\n\n' +
          'data: {"choices":[{"delta":{"content":"ne [1]"},"finish_reason":"stop"}]}',
      );
    };
    expect(await kit.ask(question)).to.include({ answer: 'Nine [1]', usage: null });
    model.respond = (_asked, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
      response.end('{"choices":[{"message":{"content":"Nine [1]"}}]}');
    };
    const { text } = await kit.chat.post(`${route}/chat`, { message: question, stream: true }).expect(200);
    expect(text).to.include('event: done').and.include('"answer":"Nine [1]"');
  });
});
