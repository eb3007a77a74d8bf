import {
  defineModule,
  definePageAddition,
  defineShortcode,
  html,
  PageRenderer,
  Posts,
  word,
  yup,
} from '@lyceum/core';

const process_ = String(process.pid);

const far = defineShortcode({
  tag: 'far',
  attributes: yup.object({
    what: word('process', 'can', 'sign', 'find', 'inner').required(),
    size: yup.number().integer().max(3).default(1),
  }),
  dynamic: true,
  render: async ({ attributes: { what, size }, inner }, call) => {
    if (what === 'process') return html`${process_}`;
    if (what === 'sign') return html`${call.setting<string>('sign')}${String(size)}`;
    if (what === 'inner') return html`<i>${await inner()}</i>`;
    if (what === 'can') return html`${String(call.can('edit_pages'))} ${String(call.can('manage_network'))}`;
    const post = await call.get(Posts).find(call.site.blog_id, call.post?.id ?? 0);
    return html`${post?.title ?? 'none'} ${await call.get(PageRenderer).content(post ?? { content: '', meta: {} })}`;
  },
});

export default defineModule({
  id: 'test_far_pieces',
  title: 'Pieces of pages from another process',
  defaultEnabled: true,
  settings: { sign: { schema: yup.string().max(5).defined(), default: 'far', scope: 'site' } },
  shortcodes: [far],
  pageAdditions: [
    definePageAddition({
      id: 'test_far_pieces.mark',
      title: 'A mark',
      after: (post, call) =>
        post.excerpt === 'far' ? html`<b>${post.title} ${String(call.user)}</b>` : null,
    }),
  ],
});
