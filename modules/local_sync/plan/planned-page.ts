import type { Editor, Problem } from '@lyceum/core';
import { type ItemProblem, itemError } from '../item-errors.ts';
import type { SentPage } from '../manifest/sent-page.ts';
import type { NotedPage } from '../stores/page-store.ts';
import type { Decision } from './decide-page.ts';
import type { PageResult } from './page-result.ts';

/** What is to be done with a page, in the light of what the site has. */
export interface PlannedPage {
  readonly page: SentPage;
  readonly noted: NotedPage | null;
  /** Null where something is wrong with it. */
  readonly decision: Decision | null;
  readonly problem: ItemProblem | null;
  readonly problems: readonly Problem[];
  readonly needsContent: boolean;
  /** A page that goes in this sync, and whose slug it takes. */
  readonly replaces: NotedPage | null;
  /** The post that it shall lie under; null for none. */
  readonly parent: number | 'made' | null;
}

/** The post that the page has; null where it has none, or not any more. */
export const livePost = (noted: NotedPage | null): number | null =>
  noted && noted.current_hash !== null ? noted.post_id : null;

export const writesDocument = ({ writes }: Decision): boolean => writes === 'document' || writes === 'both';
export const writesFields = ({ writes }: Decision): boolean => writes === 'fields' || writes === 'both';

/** The result of a page of which nothing was written, or not yet. */
export function resultOf({
  page,
  noted,
  decision,
  problem,
  problems,
  needsContent,
}: PlannedPage): PageResult {
  const post = livePost(noted);
  return {
    key: page.key,
    post_id: post ?? decision?.adopts ?? null,
    action: decision?.action ?? 'error',
    reason: decision?.reason ?? null,
    needs_content: needsContent,
    hash: page.hash,
    document_hash: post === null ? null : (noted?.document_hash ?? null),
    problems: [...problems],
    error: problem && itemError(problem),
  };
}

/** A page that is not in the manifest, as it was sent last. */
export const unlisted = (noted: NotedPage): SentPage => ({
  key: noted.key,
  hash: noted.source_hash,
  title: '',
  slug: noted.slug,
  slugAsked: false,
  postType: noted.post_type,
  status: 'draft',
  parent: null,
  menuOrder: 0,
  editor: noted.editor as Editor,
  content: null,
  fieldsHash: noted.fields_hash,
});
