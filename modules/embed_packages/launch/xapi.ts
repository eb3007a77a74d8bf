import { packagePath } from './package-path.ts';
import { readXml } from './xml-events.ts';

/** The first text of such an element, inside of an element of that name, that leads into the package. */
function firstPath(xml: string, element: string, inside: string): readonly string[] {
  const open: string[] = [];
  let found: string | null = null;
  readXml(xml, (event) => {
    if (event.kind === 'open') {
      open.push(event.name);
      return false;
    }
    open.pop();
    if (event.name === element && open.includes(inside)) found = packagePath(event.text, []);
    return found !== null;
  });
  return found === null ? [] : [found];
}

/** The path that `tincan.xml` launches. */
export const tincanLaunch = (xml: string): readonly string[] => firstPath(xml, 'launch', 'activity');

/** The path of the first assignable unit of `cmi5.xml` that is part of the package. */
export const cmi5Launch = (xml: string): readonly string[] => firstPath(xml, 'url', 'au');
