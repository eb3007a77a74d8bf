import type { InstalledModule, InstalledModules } from './spec.ts';

/**
 * What only shows when all declarations are seen together: one owner per namespace, capability, post type,
 * taxonomy, page and stored option. The first module, by id, keeps it; the other one fails.
 */
export function checkTogether(modules: InstalledModules): InstalledModules {
  const owners = new Map<string, string>();
  const checked = new Map<string, InstalledModule>();
  for (const [id, module] of modules) {
    const clash = module.spec && claims(module).find((claim) => (owners.get(claim) ?? id) !== id);
    if (clash) {
      const [kind, name] = clash.split(' ', 2);
      checked.set(id, {
        ...module,
        error: {
          code: kind === 'namespace' ? 'namespace_conflict' : 'manifest_invalid',
          message: `The ${kind} "${name}" belongs to the module "${owners.get(clash)}"; choose another.`,
          at: new Date().toISOString(),
        },
      });
      continue;
    }
    for (const claim of claims(module)) owners.set(claim, id);
    checked.set(id, module);
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
    ...options,
  ];
}
