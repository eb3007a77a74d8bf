import { expect } from 'chai';
import { FormMarkup, type FormReader } from '../api.ts';
import { FormKit, posts } from './form-kit.ts';

describe('svctutor_form: where a form stands', () => {
  let kit: FormKit;
  before(async () => {
    kit = await FormKit.start();
  });
  after(() => kit.lyceum.stop());

  const reader = (capabilities: readonly string[], blogId = 1, id = 900): FormReader => ({
    site: { blog_id: blogId },
    user: { id },
    can: (capability) => capabilities.includes(capability),
  });
  const render = (who: FormReader, id: number): Promise<string> => {
    const spec = kit.lyceum.host.modules.get('svctutor_form')?.spec;
    if (!spec) throw new Error('The module is not installed.');
    return kit.lyceum.host.services.resolve(spec)(FormMarkup).render(who, id);
  };

  it('an element names it, its runner, and the options that are known and of their kind', async () => {
    const id = await kit.form({ status: 'publish' });
    expect(await render(reader([]), id)).to.equal(
      `<div data-svc-form="${id}" data-runner="autoscroll"></div>`,
    );
    const options = {
      className: 'wide "x"',
      pausable: true,
      async: false,
      fullPage: true,
      persistent: 'true',
      width: '50%',
      height: 100,
      css: '</style><script>alert(1)</script>',
      placeholder: "it's",
      onclick: 'alert(1)',
      constructor: 'x',
    };
    await kit.save(id, 'Shortcode', { shortcode: JSON.stringify(options) });
    await kit.save(id, 'Runner', { runner: 'chat' });
    expect(await render(reader([]), id)).to.equal(
      `<div data-svc-form="${id}" data-runner="chat" data-pausable="true" data-async="false" ` +
        'data-full-page="true" data-width="50%" ' +
        'data-css="&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;" ' +
        'data-class-name="wide &quot;x&quot;" data-placeholder="it&#39;s"></div>',
    );
    await kit.editor.patch(`${posts}/${id}`, { meta: { form_shortcode: 'no JSON' } }).expect(200);
    expect(await render(reader([]), id)).to.equal(`<div data-svc-form="${id}" data-runner="chat"></div>`);
  });

  it('is nothing for those who may not read it', async () => {
    const draft = await kit.form();
    expect(await render(reader(['edit_pages']), draft)).to.equal('');
    expect(await render(reader(['edit_others_pages']), draft)).to.contain(`data-svc-form="${draft}"`);
    const published = await kit.form({ status: 'publish' });
    expect(await render({ ...reader([]), user: null }, published)).to.equal('');
    const site = await kit.lyceum.make.site();
    expect(await render(reader([], site.blog_id), published)).to.equal('');
  });

  it('is nothing where there is no form', async () => {
    const all = reader(['edit_pages', 'edit_others_pages']);
    const page = (await kit.editor.post(posts, { type: 'page', title: 'Page' }).expect(201)).body.id;
    const trashed = await kit.form({ status: 'publish' });
    await kit.editor.delete(`${posts}/${trashed}`).expect(200);
    for (const id of [0, -1, 1.5, Number.NaN, 2 ** 31, 999_999, page, trashed]) {
      expect(await render(all, id), String(id)).to.equal('');
    }
  });
});
