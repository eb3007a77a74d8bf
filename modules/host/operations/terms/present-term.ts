import { type Call, MetaKeys, type Term } from '@lyceum/core';

/** The term with its count of posts and the defaults of registered meta. */
export function presentTerm(call: Call, term: Term, count: number) {
  const meta = call.get(MetaKeys).shown('term', term.taxonomy, term.meta, call.state);
  return { ...term, count, meta };
}
