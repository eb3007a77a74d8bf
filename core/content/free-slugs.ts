import type { Post } from './post.ts';
import { numberedSlug } from './slug.ts';
import { freeNames } from './slug-numbers.ts';

type Named = Pick<Post, 'id' | 'type' | 'slug'>;
type TakenOfType = (type: string, slugs: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * A free slug for each of many new posts of one site, by id: the wanted one, or with a number. No two of a type get
 * the same; whoever takes one meanwhile is for the insertion to find out.
 */
export async function freeSlugs(
  posts: readonly Named[],
  taken: TakenOfType,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const type of new Set(posts.map((post) => post.type))) {
    const ofType = posts.filter((post) => post.type === type);
    await freeOfType(ofType, (slugs) => taken(type, slugs), found);
  }
  return found;
}

async function freeOfType(
  posts: readonly Named[],
  taken: (slugs: readonly string[]) => Promise<ReadonlySet<string>>,
  found: Map<number, string>,
): Promise<void> {
  const stored = await taken([...new Set(posts.map((post) => post.slug))]);
  const given = new Set<string>();
  const namesakes = new Map<string, number[]>();
  for (const { id, slug } of posts) {
    if (stored.has(slug) || given.has(slug)) {
      namesakes.set(slug, [...(namesakes.get(slug) ?? []), id]);
      continue;
    }
    given.add(slug);
    found.set(id, slug);
  }
  for (const [base, ids] of namesakes) {
    const free = freeNames((number) => numberedSlug(base, number), taken);
    for (const id of ids) {
      let { value: slug } = await free.next();
      while (given.has(slug)) slug = (await free.next()).value;
      given.add(slug);
      found.set(id, slug);
    }
  }
}
