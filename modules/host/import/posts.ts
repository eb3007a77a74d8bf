import {
  AttachmentBatches,
  type BroughtAttachment,
  type BroughtPost,
  type CodedError,
  isCoded,
  MetaKeys,
  type Post,
  PostBatches,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { withoutQuery } from './attachment-paths.ts';
import type { Authors } from './authors.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportedPost, PendingLinks } from './import-map-store.ts';
import { type ItemKey, isOldId, keyOf } from './item-key.ts';
import { itemMeta, metaText } from './item-meta.ts';
import { type ItemRules, nameOf, postOf } from './item-post.ts';
import { siteAddress } from './moved-urls.ts';
import { termKey } from './survey.ts';
import { termIds } from './terms.ts';
import type { WxrItem } from './wxr-record.ts';

export const attachmentType = 'attachment';

const longestUrl = 2_000;

type TermIds = Awaited<ReturnType<typeof termIds>>;

interface FreshItem {
  readonly item: WxrItem;
  readonly key: ItemKey;
}

/** One item on its way to a post. */
interface Coming extends FreshItem {
  readonly post: BroughtPost;
  readonly links: PendingLinks;
}

export interface ItemParts {
  readonly context: ImportContext;
  readonly authors: Authors;
  readonly rules: ItemRules;
}

/** Writes the items that are not known yet; in one transaction with the note of them, so none comes in twice. */
export async function importItems(
  parts: ItemParts,
  trx: Knex.Transaction,
  items: readonly WxrItem[],
): Promise<void> {
  const { context } = parts;
  const fresh = await freshItems(context, trx, items);
  if (context.payload.dry_run) {
    for (const { item } of fresh) context.tally.created(item.type);
    return;
  }
  const assigned = fresh.flatMap(({ item }) => item.terms);
  const ids = await termIds(context, trx, assigned);
  const coming = fresh.map((one) => comingItem(parts, one, ids));
  const written = [
    ...(await createPosts(context, trx, coming.filter(isRecord))),
    ...(await createAttachments(
      context,
      trx,
      coming.filter((one) => !isRecord(one)),
    )),
  ];
  await context.map.add(trx, written);
}

const isRecord = ({ post }: Coming): boolean => post.type !== attachmentType;

/** The items that come in; the others are counted. */
async function freshItems(
  { map, tally, takes }: ImportContext,
  trx: Knex.Transaction,
  items: readonly WxrItem[],
): Promise<FreshItem[]> {
  const wanted = items.filter((item) => {
    if (item.isTooLarge)
      tally.warnings.add('item_too_large', 'Is larger than a record may be.', nameOf(item));
    if (takes(item) && !item.isTooLarge) return true;
    tally.skipped(item.status === 'auto-draft' ? item.status : item.type);
    return false;
  });
  const keyed = wanted.map((item) => ({ item, key: keyOf(item) }));
  const known = new Set(
    await map.known(
      trx,
      keyed.map(({ key }) => key),
    ),
  );
  return keyed.filter(({ item, key: { kind, old_id } }) => {
    const name = `${kind}:${old_id}`;
    const isNew = !known.has(name);
    if (!isNew) tally.existing(item.type);
    // The same id again is the same record.
    known.add(name);
    return isNew;
  });
}

function comingItem({ context, authors, rules }: ItemParts, { item, key }: FreshItem, ids: TermIds): Coming {
  const { job, tally, payload } = context;
  const meta = itemMeta(job.get(MetaKeys), { on: 'post', type: item.type }, item.meta, (name, problem) =>
    tally.warnings.add('meta_dropped', `The meta key ${name} ${problem}.`, nameOf(item)),
  );
  const terms = assignedTerms(item, ids);
  const plain = { ...postOf(item, meta, rules), author_id: authors.idOf(item.creator), terms };
  const moved = payload.rewrite_urls ? withNewUrls(context, plain) : { post: plain, waits: false };
  return { item, key, post: moved.post, links: linksOf(context, item, moved.waits) };
}

/** Term ids by taxonomy, each once. */
function assignedTerms(item: WxrItem, ids: TermIds): Record<string, readonly number[]> {
  const found = new Map<string, Set<number>>();
  for (const { taxonomy, slug, name } of item.terms) {
    const term = ids.get(termKey(taxonomy, slug, name));
    if (term) found.set(term.taxonomy, new Set([...(found.get(term.taxonomy) ?? []), term.id]));
  }
  return Object.fromEntries([...found].map(([taxonomy, set]) => [taxonomy, [...set]]));
}

function linksOf({ payload }: ImportContext, item: WxrItem, waits: boolean): PendingLinks {
  const thumbnail = metaText(item.meta, '_thumbnail_id').trim();
  const fetches = payload.fetch_attachments && item.type === attachmentType;
  return {
    ...(isOldId(item.parent) && { parent: item.parent }),
    ...(isOldId(thumbnail) && { thumbnail }),
    ...(waits && payload.fetch_attachments && !fetches && { urls: true as const }),
    ...(fetches && { fetch: true as const }),
  };
}

/** The post with addresses of this site; `waits` when it names files of attachments, which are not here yet. */
function withNewUrls(
  { survey, payload }: ImportContext,
  post: BroughtPost,
): { readonly post: BroughtPost; readonly waits: boolean } {
  const { urls, attachments } = survey;
  if (!urls) return { post, waits: false };
  const base = payload.site_url.replace(/\/+$/, '');
  let waits = false;
  const address = (path: string): string | null => {
    if (!attachments.has(withoutQuery(path))) return base + path;
    waits = true;
    return null;
  };
  const moved = {
    ...post,
    content: urls.replace(post.content ?? '', address),
    excerpt: urls.replace(post.excerpt ?? '', address),
    meta: urls.replaceIn(post.meta ?? {}, address) as BroughtPost['meta'],
    moduleMeta: urls.replaceIn(post.moduleMeta ?? {}, address) as BroughtPost['moduleMeta'],
  };
  return { post: moved, waits };
}

async function createPosts(
  context: ImportContext,
  trx: Knex.Transaction,
  coming: readonly Coming[],
): Promise<ImportedPost[]> {
  const results = await context.job.get(PostBatches).create(
    trx,
    context.actor,
    coming.map(({ post }) => post),
  );
  return noteResults(context, coming, results);
}

async function createAttachments(
  context: ImportContext,
  trx: Knex.Transaction,
  coming: readonly Coming[],
): Promise<ImportedPost[]> {
  const brought = coming.map(({ item, post }): BroughtAttachment => {
    const url = item.attachmentUrl || item.guid;
    const isAddress = url.length <= longestUrl && siteAddress(url) !== null;
    if (!isAddress)
      context.tally.warnings.add('attachment_url', 'Has no http or https address.', nameOf(item));
    const alt = metaText(item.meta, '_wp_attachment_image_alt');
    return { ...post, alt, source_url: isAddress ? url : '' };
  });
  const results = await context.job.get(AttachmentBatches).create(trx, context.actor, brought);
  return noteResults(context, coming, results);
}

function noteResults(
  { tally }: ImportContext,
  coming: readonly Coming[],
  results: readonly (Post | CodedError)[],
): ImportedPost[] {
  return coming.flatMap(({ item, key, links }, at) => {
    const result = results[at];
    if (!result || isCoded(result)) {
      tally.skipped(item.type);
      tally.warnings.add(result?.code ?? 'internal_error', reasonOf(result), nameOf(item));
      return [];
    }
    tally.created(item.type);
    const waits = Object.keys(links).length > 0;
    return [{ ...key, new_id: (result as Post).id, links: waits ? links : null }];
  });
}

const reasonOf = (error: CodedError | undefined): string =>
  `Was refused: ${error?.ownMessage ?? error?.code ?? 'no reason'}.`;
