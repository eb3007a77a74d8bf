import { packageBase, packagePath } from './package-path.ts';
import { readXml } from './xml-events.ts';

/** Of one manifest: enough for any. */
const most = 100;

/** The texts of such elements, inside of an element of that name, that lead into the package. */
function pathsIn(xml: string, element: string, inside: string): readonly string[] {
  const open: string[] = [];
  const found: string[] = [];
  readXml(xml, (event) => {
    if (event.kind === 'open') {
      open.push(event.name);
      return false;
    }
    open.pop();
    const path =
      event.name === element && open.includes(inside) ? packagePath(event.text, packageBase) : null;
    if (path !== null) found.push(path);
    return found.length >= most;
  });
  return found;
}

/** Paths that `tincan.xml` launches, in their order. */
export const tincanLaunch = (xml: string): readonly string[] => pathsIn(xml, 'launch', 'activity');

/** Paths of the assignable units of `cmi5.xml` that are part of the package, in their order. */
export const cmi5Launch = (xml: string): readonly string[] => pathsIn(xml, 'url', 'au');
