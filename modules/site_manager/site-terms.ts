import { audit, type Call, Database, fail, readId, type Term, type TermChanges, Terms } from '@lyceum/core';
import type { Knex } from 'knex';

/** Terms by which a network sorts its sites. */
export type SiteTaxonomy = 'site_category' | 'site_status';

const ownerOf = (call: Call) => ({ network_id: call.site.network_id });

async function note(
  trx: Knex.Transaction,
  call: Call,
  action: string,
  before: Term | null,
  after: Term | null,
): Promise<void> {
  const term = after ?? before;
  await audit(trx, call, {
    module: 'site_manager',
    action,
    subject: `term:${term?.id}`,
    scope: 'network',
    blogId: null,
    from: before && described(before),
    to: after && described(after),
  });
}

const described = ({ taxonomy, name, slug, names, parent }: Term) => ({
  taxonomy,
  name,
  slug,
  names,
  parent,
});

/** @throws `term_exists`, `rest_invalid_param` */
export function createTerm(
  call: Call,
  taxonomy: SiteTaxonomy,
  given: TermChanges & { name: string },
): Promise<Term> {
  return call.get(Database).transaction(async (trx) => {
    const term = await call.get(Terms).create(trx, ownerOf(call), taxonomy, given);
    await note(trx, call, 'site_term.create', null, term);
    return term;
  });
}

/** What is so already leaves no trace. @throws `term_not_found`, `term_exists`, `rest_invalid_param` */
export function changeTerm(
  call: Call,
  taxonomy: SiteTaxonomy,
  idText: string,
  changes: TermChanges,
): Promise<Term> {
  const id = readId(idText) ?? fail('term_not_found');
  const terms = call.get(Terms);
  return call.get(Database).transaction(async (trx) => {
    const before = await terms.find(ownerOf(call), id, trx);
    const after = await terms.update(trx, ownerOf(call), [taxonomy], id, changes);
    const same = before !== null && JSON.stringify(described(before)) === JSON.stringify(described(after));
    if (!same) await note(trx, call, 'site_term.update', before, after);
    return after;
  });
}

/** Children move to its parent, sites lose it. @throws `term_not_found` */
export function removeTerm(call: Call, taxonomy: SiteTaxonomy, idText: string): Promise<Term> {
  const id = readId(idText) ?? fail('term_not_found');
  return call.get(Database).transaction(async (trx) => {
    const term = await call.get(Terms).remove(trx, ownerOf(call), [taxonomy], id, call);
    await note(trx, call, 'site_term.delete', term, null);
    return term;
  });
}
