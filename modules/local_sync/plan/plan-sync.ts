import { type Call, Database, PostTypes } from '@lyceum/core';
import type { Contents } from '../manifest/contents.ts';
import { familyOf } from '../manifest/family.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type FileVersion, type NotedPage, PageStore } from '../stores/page-store.ts';
import type { FileIndex } from './file-index.ts';
import { PagePlanner } from './page-planner.ts';
import type { PageResult } from './page-result.ts';
import { livePost, type PlannedPage, unlisted } from './planned-page.ts';

/** All that is to be done with the pages of a project. */
export interface Plan {
  /** Those of the manifest, parents first, and after them those that only name files which changed. */
  readonly pages: readonly PlannedPage[];
  /** Those that the manifest does not have any more. */
  readonly missing: readonly NotedPage[];
}

export interface PlanGround {
  readonly manifest: Manifest;
  readonly contents: Contents;
  /** Null as long as nobody synced it. */
  readonly projectId: number | null;
  readonly files: FileIndex;
  /** Contents that files are about to get. */
  readonly coming: readonly FileVersion[];
}

/** Reads what the site has of the project, each table once, and decides. Writes nothing. */
export async function planSync(call: Call, ground: PlanGround): Promise<Plan> {
  const { manifest, contents, projectId, files, coming } = ground;
  const { knex } = call.get(Database);
  const store = call.get(PageStore);
  const { pages, deleteMissing } = manifest;
  const keys = pages.flatMap(({ key, parent }) => (parent === null ? [key] : [key, parent]));
  const rows =
    projectId === null
      ? []
      : await store.noted(knex, projectId, { keys: [...new Set(keys)], all: deleteMissing, coming });
  const listed = new Set(pages.map(({ key }) => key));
  const others = rows.filter(({ key }) => !listed.has(key));
  const leaving = others.filter((noted) => missingResult(noted, manifest.overwrite).action === 'delete');
  const slugs = pages.map(({ postType, slug }) => ({ type: postType, slug }));
  const planner = new PagePlanner({
    manifest,
    contents,
    files,
    family: familyOf(pages),
    noted: new Map(rows.map((row) => [row.key, row])),
    leaving: new Map(deleteMissing ? leaving.map((row) => [row.key, row]) : []),
    slugs: await store.bySlug(knex, { blogId: call.site.blog_id, projectId }, slugs),
    words: { known: call.setting('known_widgets'), nested: call.setting('nested_widgets') },
    isHierarchical: (type) => call.get(PostTypes).get(type)?.hierarchical ?? false,
  });
  const planned = await planner.plan(call.signal);
  return {
    pages: deleteMissing ? planned : [...planned, ...others.flatMap(rewritten)],
    missing: deleteMissing ? others : [],
  };
}

/** A page outside of the manifest whose files changed, unless somebody wrote over its document. */
function rewritten(noted: NotedPage): PlannedPage[] {
  if (!noted.file_changed || noted.current_hash !== noted.document_hash) return [];
  const decision = { action: 'update', reason: 'file', writes: 'document', adopts: null } as const;
  const parent = noted.parent_id === 0 ? null : noted.parent_id;
  const plain = { problem: null, problems: [], needsContent: false, replaces: null, parent };
  return [{ page: unlisted(noted), noted, decision, ...plain }];
}

/** The result of a page that is to go, or went. Pages that others changed stay unless they may be overwritten. */
export function missingResult(noted: NotedPage, overwrite: boolean): PageResult {
  const changed = noted.current_hash !== null && noted.current_hash !== noted.document_hash;
  const stays = changed && !overwrite;
  return {
    key: noted.key,
    post_id: noted.post_id,
    action: stays ? 'conflict' : 'delete',
    reason: stays ? 'changed_on_site' : null,
    needs_content: false,
    hash: noted.source_hash,
    document_hash: livePost(noted) === null ? null : noted.document_hash,
    problems: [],
    error: null,
  };
}
