import type { InstalledModule, InstalledModules } from './spec.ts';

/**
 * What only shows when all declarations are seen together: one owner per namespace, capability, post type,
 * taxonomy, page, area, shortcode and stored option. The first module keeps it; the other one fails.
 * @param order ids of all modules; who comes first is first
 */
export function checkTogether(modules: InstalledModules, order: readonly string[]): InstalledModules {
  const owners = new Map<string, string>();
  const checked = new Map<string, InstalledModule>(modules);
  for (const id of order) {
    const module = modules.get(id);
    if (!module?.served) continue;
    const clash = module.spec && claims(module).find((claim) => (owners.get(claim) ?? id) !== id);
    if (clash) {
      const [kind, name] = clash.split(' ', 2);
      checked.set(id, {
        ...module,
        served: false,
        error: {
          code: kind === 'namespace' ? 'namespace_conflict' : 'manifest_invalid',
          message: `The ${kind} "${name}" belongs to the module "${owners.get(clash)}"; choose another.`,
          at: new Date().toISOString(),
        },
      });
      continue;
    }
    for (const claim of claims(module)) owners.set(claim, id);
  }
  return checked;
}

function claims({ spec }: InstalledModule): string[] {
  if (!spec) return [];
  const options = Object.values(spec.settings).flatMap(({ stored, scope }) =>
    stored && 'option' in stored ? [`${scope}-option ${stored.option}`] : [],
  );
  return [
    ...spec.namespaces.map((name) => `namespace ${name}`),
    ...Object.keys(spec.capabilities).map((name) => `capability ${name}`),
    ...spec.postTypes.map((type) => `post-type ${type.id}`),
    ...spec.taxonomies.map((taxonomy) => `taxonomy ${taxonomy.id}`),
    ...Object.keys(spec.tables).map((name) => `table ${name}`),
    ...spec.pages.map(({ path }) => `page ${path}`),
    ...spec.areas.map(({ folder }) => `area ${folder}`),
    ...spec.shortcodes.map(({ tag }) => `shortcode ${tag}`),
    ...options,
  ];
}
