import { Documents } from '../content/documents.ts';
import { MetaKeys } from '../content/meta-keys.ts';
import { Notices } from '../content/notices.ts';
import { PostBatches } from '../content/post-batches.ts';
import { PostChecks } from '../content/post-checks.ts';
import { PostLinks } from '../content/post-links.ts';
import { PostTermStore } from '../content/post-terms-store.ts';
import { PostTreeStore } from '../content/post-tree-store.ts';
import { PostTypes } from '../content/post-types.ts';
import { PostWriter } from '../content/post-writer.ts';
import { Posts } from '../content/posts.ts';
import { PostStore } from '../content/posts-store.ts';
import { RevisionStore } from '../content/revision-store.ts';
import { Revisions } from '../content/revisions.ts';
import { Taxonomies } from '../content/taxonomies.ts';
import { TermBatches } from '../content/term-batches.ts';
import { TermLists } from '../content/term-lists.ts';
import { TermListStore } from '../content/term-lists-store.ts';
import { Terms } from '../content/terms.ts';
import { TermStore } from '../content/terms-store.ts';
import { State } from '../state/state.ts';
import type { HostParts } from './host-services.ts';
import { offerPages } from './page-services.ts';

/** Offers what modules share about content: declared types, taxonomies and meta keys, posts, terms, notices, pages. */
export function offerContent(parts: HostParts): void {
  const { services, db, installed, settings, addresses, now, log } = parts;
  const notices = new Notices({
    installed,
    settings,
    state: () => services.host(State),
    resolve: (spec) => services.resolve(spec),
    log,
  });
  const types = new PostTypes(installed);
  const taxonomies = new Taxonomies(installed);
  const metaKeys = new MetaKeys(installed, settings);
  const store = new PostStore();
  const tree = new PostTreeStore();
  const postTerms = new PostTermStore();
  const checks = new PostChecks(tree, postTerms, taxonomies);
  const writer = new PostWriter(store, metaKeys);
  const posts = new Posts({ db, store, writer, checks, postTerms, types, metaKeys, notices, now });
  services.offer(Notices, notices);
  services.offer(PostTypes, types);
  services.offer(Taxonomies, taxonomies);
  services.offer(MetaKeys, metaKeys);
  services.offer(Posts, posts);
  services.offer(
    PostBatches,
    new PostBatches({ store, writer, tree, checks, postTerms, types, metaKeys, notices, now }),
  );
  const documents = new Documents(posts);
  services.offer(Documents, documents);
  services.offer(Revisions, new Revisions(db, documents, new RevisionStore()));
  services.offer(PostLinks, new PostLinks(db, tree, addresses));
  offerPages(parts);
  const terms = new TermStore();
  services.offer(Terms, new Terms({ db, store: terms, postTerms, taxonomies, metaKeys, notices }));
  services.offer(TermLists, new TermLists(db, new TermListStore(), terms));
  services.offer(TermBatches, new TermBatches(terms, taxonomies, metaKeys));
}
