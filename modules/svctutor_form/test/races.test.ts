import { expect } from 'chai';
import { FormKit, freshToken, md5, posts } from './form-kit.ts';

const many = 50;

interface Answer {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly token?: string;
    readonly data?: { readonly token: string };
  };
}

describe('svctutor_form: writes at once', () => {
  let kit: FormKit;
  before(async () => {
    kit = await FormKit.start();
  });
  after(() => kit.lyceum.stop());

  const oneWinner = async (id: number, answers: readonly Answer[]) => {
    const won = answers.filter(({ status }) => status === 200);
    expect(won).to.have.length(1);
    const { token } = await kit.data(id);
    expect(won[0]?.body.token).to.equal(token);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect([status, body.code, body.data?.token]).to.deep.equal([400, 'invalid_token', token]);
    }
    return answers.findIndex(({ status }) => status === 200);
  };

  it(`of ${many} with one token one wins, and what it wrote is there`, async () => {
    const id = await kit.form();
    const texts = Array.from({ length: many }, (_text, at) => `{"name":"${at}"}`);
    const answers = await Promise.all(
      texts.map((definition) => kit.update('Definition', { id, definition, token: freshToken })),
    );
    const winner = await oneWinner(id, answers);
    expect((await kit.data(id)).texts.definition).to.equal(texts[winner]);
  });

  it('of different parts as well', async () => {
    const id = await kit.form();
    const token = freshToken;
    const answers = await Promise.all([
      kit.update('Definition', { id, token, definition: '{"a":1}' }),
      kit.update('Styles', { id, token, styles: '{"a":1}' }),
      kit.update('L10n', { id, token, l10n: '{"a":1}' }),
      kit.update('Runner', { id, token, runner: 'chat' }),
      kit.update('Shortcode', { id, token, shortcode: '{"a":1}' }),
      kit.update('Hooks', { id, token, hooks: '{"a":1}' }),
      kit.update('Trackers', { id, token, trackers: '{"a":1}' }),
    ]);
    await oneWinner(id, answers);
  });

  it('in two processes', async () => {
    const beside = await kit.beside();
    try {
      const id = await kit.form();
      const answers = await Promise.all(
        Array.from({ length: many }, (_body, at) =>
          (at % 2 ? kit : beside).update('Styles', { id, token: freshToken, styles: `{"a":${at}}` }),
        ),
      );
      await oneWinner(id, answers);
    } finally {
      await beside.lyceum.stop();
    }
  });

  it('let everybody through who sends what is there already', async () => {
    const id = await kit.form();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => kit.update('Styles', { id, token: freshToken, styles: '{}' })),
    );
    expect(answers.map(({ status, body }) => [status, body.token])).to.deep.equal(
      Array.from({ length: 10 }, () => [200, freshToken]),
    );
  });

  it('lose to a change of the record by the host, or come before it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await kit.form();
      const content = `{"round":${round}}`;
      const [written, patched] = await Promise.all([
        kit.update('Styles', { id, token: freshToken, styles: '{"a":1}' }),
        kit.editor.patch(`${posts}/${id}`, { content }),
      ]);
      expect(patched.status).to.equal(200);
      const styles = written.status === 200 ? '{"a":1}' : '{}';
      expect((await kit.data(id)).token).to.equal(md5(content, 'autoscroll', styles, '{}{}{}{}'));
      if (written.status !== 200) expect(written.body.code).to.equal('invalid_token');
    }
  });
});
