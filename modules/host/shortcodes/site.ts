import { defineShortcode, html, word, yup } from '@lyceum/core';

export const site = defineShortcode({
  tag: 'site',
  title: 'The site: [site field="title"], url or description',
  attributes: yup.object({ field: word('title', 'url', 'description').default('title') }),
  dynamic: false,
  render: ({ attributes: { field } }, call) =>
    html`${field === 'url' ? call.site.url : call.setting<string>(field)}`,
});
