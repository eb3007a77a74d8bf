import { defineModule, definePageAddition, defineShortcode, fail, html, word, yup } from '@lyceum/core';

const box = defineShortcode({
  tag: 'box',
  title: 'A box around something',
  attributes: yup.object({ color: word('red', 'blue').default('red'), 0: yup.string() }),
  dynamic: false,
  render: async ({ attributes, inner }, call) =>
    html`<div class="${attributes.color}" title="${attributes[0] ?? ''}">${call.setting<string>('sign')}${await inner()}</div>`,
});

const behaves = defineShortcode({
  tag: 'behaves',
  attributes: yup.object({ how: yup.string().required() }),
  dynamic: true,
  render: async ({ attributes: { how } }, call) => {
    if (how === 'crash') throw new Error('Nobody foresaw it.');
    if (how === 'refuse') fail('rest_forbidden');
    if (how === 'input') fail('rest_invalid_param', { message: 'how: is none of them' });
    if (how === 'text') return 'text' as never;
    if (how === 'late')
      await new Promise((_resolve, reject) => call.signal.addEventListener('abort', reject));
    return html`${how} by ${call.user?.login ?? 'nobody'} on ${call.post?.title ?? 'no page'}`;
  },
});

export default defineModule({
  id: 'test_pieces',
  title: 'Pieces of pages',
  defaultEnabled: true,
  settings: { sign: { schema: yup.string().max(5).defined(), default: '', scope: 'site' } },
  shortcodes: [box, behaves],
  pageAdditions: [
    definePageAddition({
      id: 'test_pieces.foot',
      title: 'A foot under what has one',
      after: (post) => {
        if (post.excerpt === 'crash') throw new Error('Nobody foresaw it.');
        return post.excerpt === '' ? null : html`<footer>${post.excerpt}</footer>`;
      },
    }),
  ],
});
