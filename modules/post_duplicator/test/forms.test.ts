import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PostKit } from './post-kit.ts';

const forms = 'svctutor-forms/form/v1';

/** As a builder might write it: with spaces, escapes and an order of its own. */
const texts = {
  definition:
    '{"name":"Survey" , "clusters":[ ],"10":"\\/\\u00e9é😀","text":"<!-- wp:image {\\"id\\":1} -->"}\r\n',
  runner: 'chat',
  styles: '{ "color" : "#fff" }',
  l10n: '{"":{"language":"en"},"b":[null,"B"],"a":[null,"A"]}',
  hooks: '{"email":{"enabled":true,"recipient":"office@example.test"}}',
  trackers: '{}',
  shortcode: '{"width":"50%"}',
};
const sums = { fingerprint: 'a'.repeat(64), stencil: 'b'.repeat(64), actionables: 'c'.repeat(64) };

describe('post_duplicator: forms', () => {
  let lyceum: TestHost;
  let kit: PostKit;

  before(async () => {
    lyceum = await startTestHost({ modules: ['post_duplicator', 'svctutor_form'] });
    kit = new PostKit(lyceum, await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  const data = async (id: number, site?: Parameters<PostKit['on']>[0]) =>
    (await kit.on(site).get(`${forms}/getRunnerData?id=${id}`).expect(200)).body;

  async function survey(): Promise<number> {
    const { id } = await kit.create({ type: 'form', title: 'Survey', status: 'publish' });
    const save = async (part: string, body: object) => {
      const { token } = await data(id);
      await kit
        .on()
        .post(`${forms}/update${part}`, { id, token, ...body })
        .expect(200);
    };
    await save('Definition', { definition: texts.definition, ...sums });
    await save('Runner', { runner: texts.runner });
    await save('Styles', { styles: texts.styles });
    await save('L10n', { l10n: texts.l10n });
    await save('Hooks', { hooks: texts.hooks });
    await save('Shortcode', { shortcode: texts.shortcode });
    return id;
  }

  it('are copied byte for byte, and then live on their own', async () => {
    const id = await survey();
    const source = await data(id);
    expect(source.texts).to.deep.equal(texts);
    const copyId = (await kit.copy(id)).post_id;
    const copy = await data(copyId);
    expect(copy).to.deep.include({ texts, token: source.token, status: 'draft', entries: 0, ...sums });
    const body = { id: copyId, token: copy.token, definition: '{"name":"Other"}', name: 'Other' };
    await kit.on().post(`${forms}/updateDefinition`, body).expect(200);
    expect(await data(id)).to.deep.equal(source);
    await kit.on().post(`${forms}/updateRunner`, { id, token: source.token, runner: 'classic' }).expect(200);
    expect((await data(copyId)).texts).to.deep.include({ definition: '{"name":"Other"}', runner: 'chat' });
  });

  it('are the same on another site', async () => {
    const id = await survey();
    const site = await lyceum.make.site();
    const copy = await kit.copy(id, { target_blog_id: site.blog_id });
    expect((await data(copy.post_id, site)).texts).to.deep.equal(texts);
    expect((await data(copy.post_id, site)).token).to.equal((await data(id)).token);
  });

  it('are not made of a form in the trash', async () => {
    const id = await survey();
    await kit.on().delete(`svc/host/v1/posts/${id}`).expect(200);
    expect((await kit.duplicate(id).expect(409)).body.code).to.equal('post_in_trash');
  });
});
