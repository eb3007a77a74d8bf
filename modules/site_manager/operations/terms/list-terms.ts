import { type Call, type Page, type PageQuery, page, Terms } from '@lyceum/core';
import type { SiteTaxonomy } from '../../site-terms.ts';

interface Wanted extends PageQuery {
  readonly search?: string | undefined;
  readonly lang?: string | undefined;
  readonly parent_id?: number | undefined;
}

/** One page of a taxonomy of the network by name, each term named in the wanted language where it has that name. */
export async function listTerms(call: Call, taxonomy: SiteTaxonomy, query: Wanted): Promise<Page> {
  const { search, lang, parent_id } = query;
  const { items, total } = await call.get(Terms).list({ network_id: call.site.network_id }, taxonomy, {
    search,
    langs: lang === undefined ? [] : [lang],
    parentId: parent_id,
    by: 'name',
    limit: query.per_page,
    offset: (query.page - 1) * query.per_page,
  });
  const nameIn = (names: Readonly<Record<string, string>>): string | undefined =>
    lang !== undefined && Object.hasOwn(names, lang) ? names[lang] : undefined;
  return page(
    items.map((term) => ({ ...term, name: nameIn(term.names) ?? term.name })),
    total,
  );
}
