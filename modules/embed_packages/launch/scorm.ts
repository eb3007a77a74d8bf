import { baseInside, packageBase, packagePath } from './package-path.ts';
import { readXml } from './xml-events.ts';

/** What a SCORM or IMS manifest says that matters here. */
interface Manifest {
  readonly standard: string | null;
  /** Identifiers of resources that items of an organization name, in their order. */
  readonly organizations: Map<string, string[]>;
  /** Paths of resources by identifier, in their order; those without an address are left out. */
  readonly resources: Map<string, string>;
}

/** Resources of one manifest: enough for any, and a bound for one that is made to cost memory. */
const most = 20_000;

function readManifest(xml: string): Manifest {
  const organizations = new Map<string, string[]>();
  const resources = new Map<string, string>();
  /** Of the elements that are open, each from the one around it. */
  const bases: string[] = [];
  let standard: string | null = null;
  let items: string[] | null = null;
  let count = 0;
  readXml(xml, (event) => {
    if (event.kind === 'close') {
      bases.pop();
      if (event.name === 'organization') items = null;
      return false;
    }
    const { name, attributes } = event;
    const base = baseInside(bases.at(-1) ?? packageBase, attributes['xml:base']);
    bases.push(base);
    count += 1;
    if (name === 'organizations') standard = attributes.default ?? null;
    if (name === 'organization') {
      items = [];
      organizations.set(attributes.identifier ?? '', items);
    }
    if (name === 'item' && attributes.identifierref !== undefined) items?.push(attributes.identifierref);
    if (name === 'resource' && attributes.href !== undefined) {
      const path = packagePath(attributes.href, base);
      const id = attributes.identifier ?? `#${resources.size}`;
      if (path !== null && !resources.has(id)) resources.set(id, path);
    }
    return count > most;
  });
  return { standard, organizations, resources };
}

/**
 * Paths that `imsmanifest.xml` begins with, best first: of the resources of its default organization, then of all.
 */
export function scormLaunch(xml: string): readonly string[] {
  const { standard, organizations, resources } = readManifest(xml);
  const named = (standard === null ? undefined : organizations.get(standard)) ?? [];
  const first = named.map((id) => resources.get(id)).find((path) => path !== undefined);
  const [any] = resources.values();
  return [first, any].filter((path) => path !== undefined);
}
