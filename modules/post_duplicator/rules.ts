import { type Call, SettingsService, type SiteState, State } from '@lyceum/core';

/** What the settings of a site say about copies that go to it. */
export interface CopyRules {
  readonly titleSuffix: string;
  readonly defaultStatus: 'draft' | 'pending' | 'private';
  /** null: all types that can be duplicated. */
  readonly postTypes: readonly string[] | null;
  readonly excludeMeta: readonly string[];
  readonly excludeTaxonomies: readonly string[];
}

/** The settings of the module on any site, whether it is on there or not. */
export function rulesOf(call: Call, site: SiteState): CopyRules {
  const spec = call.get(State).modules.get('post_duplicator')?.spec;
  if (!spec) throw new Error('The module is not installed, but it runs.');
  const value = <T>(name: string) => call.get(SettingsService).value(spec, name, site) as T;
  return {
    titleSuffix: value('title_suffix'),
    defaultStatus: value('default_status'),
    postTypes: value('post_types'),
    excludeMeta: value('exclude_meta'),
    excludeTaxonomies: value('exclude_taxonomies'),
  };
}
