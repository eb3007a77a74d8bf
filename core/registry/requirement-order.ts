import type { ModuleSpec } from './spec.ts';

/** Ids of the modules that this one knows, in its `requires` or its `optional`. */
export const namedBy = ({ requires, optional }: ModuleSpec): readonly string[] => [...requires, ...optional];

/** Modules after those that they name; where they name each other in a circle, in the given order. */
export function inRequirementOrder(specs: Iterable<ModuleSpec>): ModuleSpec[] {
  const byId = new Map([...specs].map((spec) => [spec.id, spec]));
  const ordered = new Set<ModuleSpec>();
  const visiting = new Set<string>();
  const visit = (spec: ModuleSpec): void => {
    if (ordered.has(spec) || visiting.has(spec.id)) return;
    visiting.add(spec.id);
    for (const id of namedBy(spec)) {
      const other = byId.get(id);
      if (other) visit(other);
    }
    ordered.add(spec);
  };
  for (const spec of byId.values()) visit(spec);
  return [...ordered];
}
