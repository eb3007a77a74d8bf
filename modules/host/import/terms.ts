import { type BroughtTerm, MetaKeys, Taxonomies, TermBatches } from '@lyceum/core';
import type { Knex } from 'knex';
import type { ImportContext } from './import-context.ts';
import { itemMeta } from './item-meta.ts';
import { decoded } from './item-post.ts';
import { taxonomyOf, termKey } from './survey.ts';
import { byLevel } from './term-levels.ts';
import type { WxrAssignment, WxrTerm } from './wxr-record.ts';

/** Terms that one step finds or creates. */
const perStep = 200;

const longestName = 200;

interface WantedTerm {
  readonly taxonomy: string;
  readonly slug: string;
  /** Slug of the parent; empty for a root. */
  readonly parent: string;
  readonly term: WxrTerm;
}

/** Finds or creates the terms of the export: all of its head, and those that only items name. */
export async function ensureTerms(context: ImportContext): Promise<void> {
  const { progress, survey } = context;
  const done = progress.doneIn('terms');
  if (done === Number.POSITIVE_INFINITY) return;
  const levels = byLevel(survey.terms.filter((term) => isUsable(context, term.taxonomy)));
  if (done === 0)
    await progress.mark({ phase: 'terms', at: 0, message: `Found ${survey.terms.length} terms.` });
  if (done === 0) warnOfUnknown(context);
  let at = 0;
  for (const level of levels) {
    for (const taxonomy of new Set(level.map((term) => term.taxonomy))) {
      const terms = level.filter((term) => term.taxonomy === taxonomy).map((term) => wanted(context, term));
      for (let from = 0; from < terms.length; from += perStep) {
        const batch = terms.slice(from, from + perStep);
        at += batch.length;
        if (at <= done) continue;
        const message = `Made ${at} terms.`;
        await progress.step({ phase: 'terms', at, message }, (trx) => ensureBatch(context, trx, batch));
      }
    }
  }
}

const isUsable = ({ job, site }: ImportContext, taxonomy: string): boolean =>
  job.get(Taxonomies).usable(taxonomyOf(taxonomy), 'site', site) !== null;

function warnOfUnknown(context: ImportContext): void {
  for (const { taxonomy, slug, name } of context.survey.terms) {
    if (isUsable(context, taxonomy)) continue;
    const message = 'The site has no such taxonomy; the term was left out.';
    context.tally.warnings.add('taxonomy_unknown', message, `${taxonomy}:${slug || name}`);
  }
}

function wanted({ job }: ImportContext, term: WxrTerm): WantedTerm {
  const taxonomy = taxonomyOf(term.taxonomy);
  const batches = job.get(TermBatches);
  const slugOf = (slug: string, name: string): string => batches.slug(taxonomy, decoded(slug), name);
  return {
    taxonomy,
    slug: slugOf(term.slug, term.name),
    parent: term.parent === '' ? '' : slugOf(term.parent, ''),
    term,
  };
}

async function ensureBatch(
  context: ImportContext,
  trx: Knex.Transaction,
  batch: readonly WantedTerm[],
): Promise<void> {
  const { job, tally, payload, actor } = context;
  const taxonomy = batch[0]?.taxonomy ?? '';
  const owner = { blog_id: actor.site.blog_id };
  const batches = job.get(TermBatches);
  const parentSlugs = batch.map(({ parent }) => parent).filter((slug) => slug !== '');
  const parents = await batches.idsOf(trx, owner, taxonomy, parentSlugs);
  const brought = batch.map((term) => broughtTerm(context, term, parents.get(term.parent) ?? 0));
  const found = payload.dry_run
    ? await present(context, trx, taxonomy, brought)
    : await batches.ensure(trx, owner, taxonomy, brought);
  const counted = new Set<string>();
  for (const { slug } of batch) {
    if (counted.has(slug)) continue;
    counted.add(slug);
    if (found.get(slug)?.isNew === false) tally.existing(taxonomy);
    else tally.created(taxonomy);
  }
}

/** What `ensure` would find, without writing. */
async function present(
  { job, actor }: ImportContext,
  trx: Knex.Transaction,
  taxonomy: string,
  brought: readonly BroughtTerm[],
): Promise<ReadonlyMap<string, { readonly isNew: boolean }>> {
  const slugs = brought.map(({ slug }) => slug);
  const ids = await job.get(TermBatches).idsOf(trx, { blog_id: actor.site.blog_id }, taxonomy, slugs);
  return new Map([...ids.keys()].map((slug) => [slug, { isNew: false }]));
}

function broughtTerm({ job, tally }: ImportContext, { slug, term }: WantedTerm, parent: number): BroughtTerm {
  const taxonomy = taxonomyOf(term.taxonomy);
  const item = `${taxonomy}:${slug}`;
  const { meta } = itemMeta(job.get(MetaKeys), { on: 'term', type: taxonomy }, term.meta, (key, problem) =>
    tally.warnings.add('meta_dropped', `The meta key ${key} ${problem}.`, item),
  );
  const name = (term.name || decoded(term.slug)).slice(0, longestName).toWellFormed();
  // A term has no field for it here.
  const described = term.description === '' ? meta : { ...meta, description: term.description };
  return { slug, name, parent, meta: described };
}

/** Ids of the terms that items name, by `termKey`. Those that somebody deleted meanwhile are made again. */
export async function termIds(
  context: ImportContext,
  trx: Knex.Transaction,
  assignments: readonly WxrAssignment[],
): Promise<ReadonlyMap<string, { readonly taxonomy: string; readonly id: number }>> {
  const ids = new Map<string, { taxonomy: string; id: number }>();
  const named = new Map(assignments.map((term) => [termKey(term.taxonomy, term.slug, term.name), term]));
  const usable = [...named].filter(([, { taxonomy }]) => isUsable(context, taxonomy));
  for (const taxonomy of new Set(usable.map(([, term]) => taxonomyOf(term.taxonomy)))) {
    const own = usable.filter(([, term]) => taxonomyOf(term.taxonomy) === taxonomy);
    const terms = own.map(([key, term]) => {
      const plain: WxrTerm = { kind: 'term', ...term, parent: '', description: '', meta: [] };
      return [key, wanted(context, plain)] as const;
    });
    const owner = { blog_id: context.actor.site.blog_id };
    for (let at = 0; at < terms.length; at += perStep) {
      const batch = terms.slice(at, at + perStep);
      const brought = batch.map(([, term]) => broughtTerm(context, term, 0));
      const found = await context.job.get(TermBatches).ensure(trx, owner, taxonomy, brought);
      for (const [key, { slug }] of batch) {
        const id = found.get(slug)?.id;
        if (id !== undefined) ids.set(key, { taxonomy, id });
      }
    }
  }
  return ids;
}
