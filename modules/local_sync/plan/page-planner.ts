import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkPage, documentHash, type PageRules, type Problem, resolveLocal } from '@lyceum/core';
import type { ItemProblem } from '../item-errors.ts';
import { type Contents, formOf } from '../manifest/contents.ts';
import type { Family } from '../manifest/family.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { SentPage } from '../manifest/sent-page.ts';
import type { NotedPage, SlugPost } from '../stores/page-store.ts';
import { type Decision, decidePage, type SlugHolder } from './decide-page.ts';
import type { FileIndex } from './file-index.ts';
import { livePost, type PlannedPage, writesDocument, writesFields } from './planned-page.ts';

/** What the site has of the pages of a manifest. */
export interface SiteFacts {
  readonly noted: ReadonlyMap<string, NotedPage>;
  /** Pages that go when those of the manifest are written. */
  readonly leaving: ReadonlyMap<string, NotedPage>;
  readonly slugs: readonly SlugPost[];
  readonly files: FileIndex;
}

export interface PlannerParts extends SiteFacts {
  readonly manifest: Manifest;
  readonly family: Family<SentPage>;
  readonly contents: Contents;
  readonly words: Pick<PageRules, 'known' | 'nested'>;
  readonly isHierarchical: (type: string) => boolean;
}

/** A post that a page will have: its id, or that it is made. Null: none. */
interface Place {
  readonly post: number | 'made' | null;
  readonly type: string;
}

const slugKey = (type: string, slug: string): string => `${type} ${slug}`;

/** Decides of one page after the other, parents first, from facts that were read before. */
export class PagePlanner {
  readonly #parts: PlannerParts;
  readonly #listed: ReadonlySet<string>;
  readonly #bySlug: ReadonlyMap<string, SlugPost>;
  /** Slugs that pages before will have taken. */
  readonly #claimed = new Set<string>();
  readonly #places = new Map<string, Place>();

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.#listed = new Set(parts.manifest.pages.map(({ key }) => key));
    this.#bySlug = new Map(parts.slugs.map((post) => [slugKey(post.type, post.slug), post]));
  }

  /** Every page of the manifest, parents first. */
  async plan(signal: AbortSignal): Promise<PlannedPage[]> {
    const planned: PlannedPage[] = [];
    for (const page of this.#parts.family.ordered) {
      const one = this.#plan(page);
      const post = livePost(one.noted);
      const made = one.decision?.action === 'create' ? 'made' : (one.decision?.adopts ?? post);
      this.#places.set(page.key, { post: made, type: page.postType });
      planned.push(one);
      if (page.content === null) continue;
      await nextTurn();
      signal.throwIfAborted();
    }
    return planned;
  }

  #plan(page: SentPage): PlannedPage {
    const { family, contents, noted: all } = this.#parts;
    const noted = all.get(page.key) ?? null;
    const failed = (problem: ItemProblem, problems: readonly Problem[] = []): PlannedPage => ({
      ...{
        page,
        noted,
        decision: null,
        problem,
        problems,
        needsContent: false,
        replaces: null,
        parent: null,
      },
    });
    if (contents.mismatched.has(page.key)) return failed('hash_mismatch');
    if (family.inCycles.has(page.key)) return failed('parent_cycle');
    const parent = this.#parentOf(page);
    if (typeof parent === 'string') return failed(parent);
    const decision = this.#decide(page, noted, parent.post);
    const { problem, problems } = this.#examine(page, decision);
    if (problem) return failed(problem, problems);
    const replaces = this.#takes(page, decision) ? this.#leavingAt(page) : null;
    this.#claim(page, decision);
    const atHand = page.content !== null || noted?.source_hash === page.hash;
    const needsContent = writesDocument(decision) && !atHand;
    return { page, noted, decision, problem: null, problems, needsContent, replaces, parent: parent.post };
  }

  #decide(page: SentPage, noted: NotedPage | null, parent: Place['post']): Decision {
    const { manifest, files } = this.#parts;
    const currentHash = noted?.current_hash ?? null;
    const bothChanged =
      noted !== null && currentHash !== noted.document_hash && page.hash !== noted.source_hash;
    // Without the content: it is the document itself where it names no files.
    const sentDocument =
      bothChanged && page.content !== null
        ? documentHash(resolveLocal(page.content, formOf(page.editor), (path) => files.urlOf(path)).text)
        : page.hash;
    return decidePage({
      noted,
      currentHash,
      sent: { ...page, documentHash: sentDocument },
      holder: this.#holderOf(page, noted),
      fileChanged: noted?.file_changed ?? false,
      parentMoved: noted !== null && parent !== (noted.parent_id === 0 ? null : noted.parent_id),
      overwrite: manifest.overwrite,
    });
  }

  /** Where the page will lie, or what is wrong with that. */
  #parentOf(page: SentPage): { readonly post: Place['post'] } | ItemProblem {
    const { noted, manifest, isHierarchical } = this.#parts;
    if (page.parent === null) return { post: null };
    const place = this.#places.get(page.parent);
    if (place) {
      if (place.type !== page.postType || !isHierarchical(page.postType)) return 'unknown_parent';
      return place.post === null ? 'parent_failed' : { post: place.post };
    }
    const known = noted.get(page.parent);
    const post = known ? livePost(known) : null;
    const stays = !manifest.deleteMissing && !this.#listed.has(page.parent);
    if (!known || post === null || !stays) return 'unknown_parent';
    return known.post_type === page.postType && isHierarchical(page.postType) ? { post } : 'unknown_parent';
  }

  #holderOf(page: SentPage, noted: NotedPage | null): SlugHolder | null {
    const slug = slugKey(page.postType, page.slug);
    if (this.#claimed.has(slug)) return { id: 0, outside: false };
    const post = this.#bySlug.get(slug);
    if (!post || post.status === 'trash' || post.id === livePost(noted) || this.#leavingAt(page)) return null;
    return { id: post.id, outside: post.key === null };
  }

  /** The page of the project that has the slug and goes. */
  #leavingAt({ postType, slug }: SentPage): NotedPage | null {
    const key = this.#bySlug.get(slugKey(postType, slug))?.key ?? null;
    return key === null ? null : (this.#parts.leaving.get(key) ?? null);
  }

  #takes(page: SentPage, decision: Decision): boolean {
    if (decision.action === 'create' || decision.adopts !== null) return true;
    return writesFields(decision) && page.slugAsked;
  }

  #claim(page: SentPage, decision: Decision): void {
    if (this.#takes(page, decision)) this.#claimed.add(slugKey(page.postType, page.slug));
  }

  /** What is wrong with a content that is to be written. */
  #examine(
    { editor, content }: SentPage,
    decision: Decision,
  ): { readonly problem: ItemProblem | null; readonly problems: readonly Problem[] } {
    if (content === null || !writesDocument(decision)) return { problem: null, problems: [] };
    const { words, files } = this.#parts;
    const { problems, valid } = checkPage(editor, content, { ...words, isFile: (path) => files.has(path) });
    const isStrange = ({ code, severity }: Problem) => severity === 'error' && code === 'pb_local_ref';
    if (!valid) {
      const onlyStrange = problems.every((found) => found.severity !== 'error' || isStrange(found));
      return { problem: onlyStrange ? 'unknown_file' : 'invalid_page', problems };
    }
    const { unknown } = resolveLocal(content, formOf(editor), (path) => files.urlOf(path));
    return { problem: unknown.length > 0 ? 'unknown_file' : null, problems };
  }
}
