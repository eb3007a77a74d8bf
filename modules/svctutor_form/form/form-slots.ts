import { isPlainObject } from '@lyceum/core';
import type { JsonObject } from './form-json.ts';

/** References of the slots of each node, by the node's id. */
export type FormSlots = ReadonlyMap<string, ReadonlySet<string>>;

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isPlainObject) : [];

/** The nodes of a definition: in its clusters, and in those of their branches, however deep. */
export function slotsOf(definition: JsonObject | null): FormSlots {
  const slots = new Map<string, Set<string>>();
  const open = definition ? [definition] : [];
  for (let part = open.pop(); part; part = open.pop()) {
    open.push(...objectsIn(part.clusters), ...objectsIn(part.branches));
    for (const node of objectsIn(part.nodes)) {
      if (typeof node.id !== 'string') continue;
      const references = slots.get(node.id) ?? new Set();
      for (const { reference } of objectsIn(node.slots)) {
        if (typeof reference === 'string') references.add(reference);
      }
      slots.set(node.id, references);
    }
  }
  return slots;
}
