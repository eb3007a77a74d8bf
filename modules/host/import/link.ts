import { Attachments, PostBatches, type PostLink, Posts } from '@lyceum/core';
import type { Knex } from 'knex';
import { sources, withoutQuery } from './attachment-paths.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportedPost } from './import-map-store.ts';
import { attachmentType } from './posts.ts';

/** Posts that one step links; those whose texts change are read and written as a whole. */
const perStep = { links: 500, urls: 50 };

/** Links parents and featured media, now that everything is there, and then addresses of files that were fetched. */
export async function linkAll(context: ImportContext): Promise<void> {
  const { progress, payload } = context;
  if (progress.doneIn('link') === Number.POSITIVE_INFINITY) return;
  if (payload.dry_run) {
    await progress.mark({ phase: 'link', at: 0, message: 'Nothing is linked.' });
    return;
  }
  await eachPending(context, ['parent', 'thumbnail'], perStep.links, linkBatch);
  if (payload.fetch_attachments) await eachPending(context, ['urls'], perStep.urls, moveBatch);
}

/** What is done waits no longer, so a run that resumes begins at the first that still does. */
async function eachPending(
  context: ImportContext,
  what: readonly ('parent' | 'thumbnail' | 'urls')[],
  limit: number,
  work: (context: ImportContext, trx: Knex.Transaction, pending: readonly ImportedPost[]) => Promise<void>,
): Promise<void> {
  let linked = 0;
  for (let after = 0; ; ) {
    const pending = await context.map.pending(context.sql, what, after, limit);
    linked += pending.length;
    const message = `Linked ${linked} posts.`;
    await context.progress.step({ phase: 'link', at: 0, message }, (trx) => work(context, trx, pending));
    if (pending.length < limit) return;
    after = pending.at(-1)?.new_id ?? after;
  }
}

/** Links that lead to nothing yet wait on: another file of the same site may bring it. */
async function linkBatch(
  { job, map, actor, tally }: ImportContext,
  trx: Knex.Transaction,
  pending: readonly ImportedPost[],
): Promise<void> {
  if (pending.length === 0) return;
  const asked = pending.flatMap(({ links }) => [links?.parent ?? [], links?.thumbnail ?? []].flat());
  const found = await map.newIds(trx, asked);
  const wanted = pending.map(({ kind, new_id, links }): PostLink => {
    const parents = found.get(links?.parent ?? '') ?? [];
    const others = parents.filter((other) => other.kind !== attachmentType);
    const parent =
      kind === attachmentType ? others[0] : (parents.find((other) => other.kind === kind) ?? parents[0]);
    const media = (found.get(links?.thumbnail ?? '') ?? []).find((other) => other.kind === attachmentType);
    return { id: new_id, parent_id: parent?.new_id ?? 0, featured_media: media?.new_id ?? 0 };
  });
  const refused = await job.get(PostBatches).link(trx, actor, wanted);
  const oldIds = new Map(pending.map(({ kind, old_id, new_id }) => [new_id, `${kind}:${old_id}`]));
  for (const { id, field } of refused) {
    tally.warnings.add(
      'link_refused',
      `The link ${field} leads to no record that may stand there.`,
      oldIds.get(id) ?? null,
    );
  }
  const withParent = wanted.filter((link) => link.parent_id !== 0).map(({ id }) => id);
  const withMedia = wanted.filter((link) => link.featured_media !== 0).map(({ id }) => id);
  await map.done(trx, withParent, 'parent');
  await map.done(trx, withMedia, 'thumbnail');
}

/** Puts the new addresses of files that were fetched into texts that name the old ones. */
async function moveBatch(
  context: ImportContext,
  trx: Knex.Transaction,
  pending: readonly ImportedPost[],
): Promise<void> {
  const { job, map, actor, survey, payload } = context;
  const { urls } = survey;
  for (const { new_id } of pending) {
    const post = await job.get(Posts).lock(trx, actor.site.blog_id, new_id);
    if (!post || !urls) continue;
    const named = new Set<string>();
    const texts = {
      content: post.content,
      excerpt: post.excerpt,
      meta: post.meta,
      secret: post.private_meta,
    };
    urls.replaceIn(texts, (path) => {
      for (const origin of originsOf(survey.base, path)) named.add(origin);
      return null;
    });
    const site = { ...actor.site, url: payload.site_url };
    const files = await job.get(Attachments).byOrigin(trx, site, [...named]);
    const moved = urls.replaceIn(texts, (path) => {
      const origin = originsOf(survey.base, path).find((one) => files.has(one));
      return files.get(origin ?? '') ?? null;
    }) as typeof texts;
    const { content, excerpt, meta, secret } = moved;
    await job
      .get(Posts)
      .readdress(trx, actor, post, { content, excerpt, moduleMeta: { ...meta, ...secret } });
  }
  await map.done(
    trx,
    pending.map(({ new_id }) => new_id),
    'urls',
  );
}

/** Where the file of a URL may have come from: as it stands, as the picture that it is a size of, by either scheme. */
const originsOf = (base: string, path: string): string[] =>
  sources(withoutQuery(path)).flatMap((source) => {
    const rest = base.replace(/^https?/, '') + source;
    return [base + source, `https${rest}`, `http${rest}`];
  });
