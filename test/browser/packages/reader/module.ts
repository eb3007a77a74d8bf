import { defineModule, definePage, Html, html, PageRenderer, Posts, showPage } from '@lyceum/core';

/** The newest page of the site as a reader sees it, in the origin of the platform. */
const newest = definePage({
  id: 'test_reader.newest',
  path: 'newest',
  title: 'The newest page',
  show: async (call) => {
    const { items } = await call.get(Posts).list({
      ...{ blogId: call.site.blog_id, type: 'page', statuses: ['publish'], visibleTo: null },
      ...{ orderBy: 'id', order: 'desc', limit: 1, offset: 0, include: { content: false, meta: false } },
    });
    const post = items[0] && (await call.get(Posts).find(call.site.blog_id, items[0].id));
    if (!post) return showPage(html`<p>Nothing</p>`, { status: 404, policy: "default-src 'none'" });
    const rendered = await call.get(PageRenderer).render(call, post, () => html``);
    return showPage(new Html(`<!DOCTYPE html><title>Page</title><body>${rendered.html}</body>`), {
      status: 200,
      policy: "default-src 'self' 'unsafe-inline'",
    });
  },
});

export default defineModule({
  id: 'test_reader',
  title: 'Reader',
  defaultEnabled: true,
  pages: [newest],
});
