import { type Call, type ListedPost, MetaKeys, PostLinks, Posts, Taxonomies } from '@lyceum/core';

/** Posts as the API shows them: with their terms, addresses and the defaults of registered meta. Two queries. */
export async function presentPosts(call: Call, posts: readonly ListedPost[]) {
  const links = call.get(PostLinks);
  const terms = await call.get(Posts).terms(posts.map(({ id }) => id));
  const permalinks = await links.permalinks(call.site, posts);
  const taxonomies = call.get(Taxonomies).ids('site', call.state);
  return posts.map((post) => {
    const assigned = terms.get(post.id) ?? {};
    const meta = post.meta && call.get(MetaKeys).shown('post', post.type, post.meta, call.state);
    return {
      ...post,
      meta,
      terms: Object.fromEntries(taxonomies.map((id) => [id, assigned[id] ?? []])),
      permalink: permalinks.get(post.id),
      edit_url: links.edit(call.site, post.id),
    };
  });
}

/** One post, whole. */
export async function presentPost(call: Call, post: ListedPost) {
  const [shown] = await presentPosts(call, [post]);
  return shown;
}
