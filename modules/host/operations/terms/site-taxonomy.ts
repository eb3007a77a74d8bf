import { type Call, invalidParams, Taxonomies } from '@lyceum/core';

/** The taxonomy of this id, if terms of it can be used on the call's site. @throws `rest_invalid_param` */
export function siteTaxonomy(call: Call, id: string): string {
  const taxonomy = call.get(Taxonomies).usable(id, 'site', call.state);
  return taxonomy ? taxonomy.id : invalidParams({ taxonomy: 'must be a taxonomy of the site' });
}

/** Ids of all taxonomies whose terms can be used on the call's site. */
export const siteTaxonomies = (call: Call): string[] => call.get(Taxonomies).ids('site', call.state);
