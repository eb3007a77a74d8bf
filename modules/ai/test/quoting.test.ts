import { expect } from 'chai';
import { ChatKit, library, route, secret } from './chat-kit.ts';

describe('ai: answers that quote', () => {
  let kit: ChatKit;
  let page: number;

  before(async () => {
    kit = await ChatKit.start();
    page = await kit.publish(library);
  });
  after(() => kit.lyceum.stop());

  it('are sentences of the site word for word, with their source', async () => {
    const answer = await kit.ask('When does the library open?');
    expect(answer).to.include({ answer: 'The library opens at 9:00. [1]', no_answer: false });
    expect(answer).to.include({ provider: 'builtin', model: null, usage: null });
    expect(answer.citations).to.have.length(1);
    const [citation] = answer.citations;
    expect(citation).to.include({
      n: 1,
      id_post: page,
      title: 'Library',
      quote: 'The library opens at 9:00.',
    });
    expect(citation?.score).to.be.above(0);
    expect(citation?.url).to.match(/^http/);
  });

  it('are none where the texts say nothing of the question', async () => {
    const answer = await kit.ask('What is the capital of Peru?');
    expect(answer).to.deep.include({ no_answer: true, citations: [], provider: 'builtin' });
    expect(answer.answer).to.equal('I found nothing about this in the texts of this site.');
    expect(await kit.ask('Who are you?')).to.include({ no_answer: true });
    expect(await kit.ask('???')).to.include({ no_answer: true });
  });

  it('are the same for the same question', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => kit.ask('Which card do I bring to the library?')));
    expect(new Set(answers.map(({ answer }) => answer))).to.have.property('size', 1);
    expect(answers[0]?.no_answer).to.equal(false);
  });

  it('find Russian words in every form, on a site in any language', async () => {
    const lyceum = await kit.publish({
      title: 'Общежитие',
      texts: ['Заселение в общежития начинается 25 августа. Паспорт обязателен.'],
      lang: 'ru',
    });
    for (const lang of [undefined, 'ru', 'ru-RU']) {
      const answer = await kit.ask('Когда начнётся заселение в общежитие?', lang ? { lang } : {});
      expect(answer.answer, lang).to.equal('Заселение в общежития начинается 25 августа. [1]');
      expect(answer.citations[0]?.id_post).to.equal(lyceum);
    }
    const nothing = await kit.ask('Сколько стоит обед?', { lang: 'ru' });
    expect(nothing).to.include({ no_answer: true });
    expect(nothing.answer).to.equal('В материалах сайта ответа на этот вопрос не нашлось.');
  });

  it('take what stands under a heading as an answer to the heading', async () => {
    await kit.publish({
      title: 'Questions',
      headings: ['How do I renew a borrowed laptop?'],
      texts: ['Ask at the desk.\nIt takes a minute.'],
    });
    const { answer } = await kit.ask('How can I renew my borrowed laptop?');
    expect(answer).to.equal('Ask at the desk. [1]');
  });

  it('take at most one sentence of a chunk, three in all, in the order of the chunks', async () => {
    await kit.publish({
      title: 'Observatory',
      texts: [
        'The telescope dome rotates. Each telescope dome weighs a ton.',
        'Our telescope has a dome… Visitors love the telescope dome!',
        'A telescope dome needs oil?\nYes.',
        'Paint the telescope dome white.',
        'One telescope.',
      ],
    });
    const { answer, citations } = await kit.ask('telescope dome');
    expect(citations.map(({ n }) => n)).to.deep.equal([1, 2, 3]);
    const chunks = citations.map(({ id_chunk }) => id_chunk);
    expect(new Set(chunks)).to.have.property('size', 3);
    expect(answer).to.equal(citations.map(({ n, quote }) => `${quote} [${n}]`).join(' '));
  });

  it('keep to the posts and to the number of chunks that are asked for', async () => {
    const other = await kit.publish({ title: 'Branch', texts: ['The branch library opens at noon.'] });
    const only = await kit.ask('When does the library open?', { post_ids: [other] });
    expect(only.citations.map(({ id_post }) => id_post)).to.deep.equal([other]);
    expect(await kit.ask('When does the library open?', { post_ids: [2_000_000] })).to.include({
      no_answer: true,
    });
    expect((await kit.ask('When does the library open?', { top_k: 1 })).citations).to.have.length(1);
    await kit.admin.patch(`svc/host/v1/posts/${other}`, { status: 'draft' }).expect(200);
  });

  it('know a short question by the one before', async () => {
    const first = await kit.ask('When does the library open?');
    const { conversation_id } = first;
    const second = await kit.ask('And the card?', { conversation_id });
    expect(second.conversation_id).to.equal(conversation_id);
    expect(second.answer).to.equal('Bring your card. [1]');
    // It leads to the same page, and has to be answered by itself.
    for (const message of ['Why?', 'Capital of Peru?']) {
      expect(await kit.ask(message, { conversation_id })).to.include({ no_answer: true });
    }
  });

  it('are gone with the page that they are from', async () => {
    await kit.admin.patch(`svc/host/v1/posts/${page}`, { status: 'draft' }).expect(200);
    expect(await kit.ask('When does the library open?')).to.include({ no_answer: true });
    await kit.admin.patch(`svc/host/v1/posts/${page}`, { status: 'publish' }).expect(200);
    expect(await kit.ask('When does the library open?')).to.include({ no_answer: false });
  });

  it('are what the site wrote where there is none', async () => {
    await kit.settings({ no_answer_text: 'Ask the dean.' });
    expect((await kit.ask('What is the capital of Peru?')).answer).to.equal('Ask the dean.');
    await kit.settings({ no_answer_text: null });
  });

  it('are none where retrieval is off, and GET says so', async () => {
    const { body: on } = await kit.lyceum.anonymous.get(`${route}/chat`).expect(200);
    expect(on.retrieval.available).to.equal(true);
    await kit.admin.put('svc/modules/v1/modules/rag', { enabled: false }).expect(200);
    expect(await kit.ask('When does the library open?')).to.include({ no_answer: true });
    const { body: off } = await kit.lyceum.anonymous.get(`${route}/chat`).expect(200);
    expect(off).to.deep.include({ available: true, retrieval: { available: false, chunks: 0 } });
    await kit.admin.put('svc/modules/v1/modules/rag', { enabled: true }).expect(200);
  });

  it('come from the site of the secret alone', async () => {
    const [two, three] = [await kit.lyceum.make.site(), await kit.lyceum.make.site()];
    await kit.settings({ chat_secret: 'the secret of site two' }, two.blog_id);
    await kit.settings({ chat_secret: 'the secret of site three' }, three.blog_id);
    const asked = { message: 'When does the library open?' };
    const wrong = await kit.chatOn(three, 'the secret of site two').post(`${route}/chat`, asked).expect(401);
    expect(wrong.body.code).to.equal('rest_forbidden');
    await kit.chatOn(two, secret).post(`${route}/chat`, asked).expect(401);
    const right = await kit.chatOn(two, 'the secret of site two').post(`${route}/chat`, asked).expect(200);
    expect(right.body).to.include({ no_answer: true });
    const { body } = await kit.lyceum.as({ headers: {} }, two).get(`${route}/chat`).expect(200);
    expect(body).to.deep.include({ blog_id: two.blog_id, retrieval: { available: false, chunks: 0 } });
  });
});
