import { definePageAddition, html } from '@lyceum/core';
import { BindingStore } from './binding-store.ts';
import { shownPath } from './bindings.ts';
import { fileUrl } from './package-address.ts';

/** A page that shows a package has it behind its content, in a frame that is of no origin. */
export const boundPackage = definePageAddition({
  id: 'embed_packages.frame',
  title: 'The package of the page',
  after: async (post, call) => {
    const binding = await call.get(BindingStore).ofPage(post.blog_id, post.id);
    const path = binding && shownPath(binding);
    if (!binding?.package || !path) return null;
    const url = fileUrl(call.site, binding.package, path);
    return html`<iframe src="${url}" sandbox="allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation" allowfullscreen title="${binding.package.title}"></iframe>`;
  },
});
