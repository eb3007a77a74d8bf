import { SaxesParser } from 'saxes';

/** The beginning or the end of an element; names without their prefixes, values with the five entities of XML only. */
export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly name: string; readonly text: string };

const deepest = 100;
const pieceLength = 64 * 1024;
/** A tag or a text of a manifest; attributes are read at once, and a megabyte of them takes half a second. */
const longestToken = 128 * 1024;
/** Of a text that anybody reads. */
const longestText = 4_096;

class Enough extends Error {}

/**
 * Tells `hear` of the elements of a manifest, up to the first fault: authoring tools write all sorts, and what came
 * before may do. Document types are skipped and entities beyond the five are empty, so nothing is ever fetched.
 * @param hear true: that was all it wanted
 */
export function readXml(xml: string, hear: (event: XmlEvent) => boolean): void {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: { readonly name: string; text: string }[] = [];
  let since = 0;
  const tell = (event: XmlEvent): void => {
    since = parser.position;
    if (hear(event)) throw new Enough();
  };
  parser.ENTITIES = predefined();
  parser.on('error', () => {
    throw new Enough();
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= deepest) throw new Enough();
    open.push({ name: localName(name), text: '' });
    tell({ kind: 'open', name: localName(name), attributes: localNames(attributes) });
  });
  const addText = (text: string): void => {
    const last = open.at(-1);
    if (last && last.text.length < longestText) last.text += text.slice(0, longestText);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const last = open.pop();
    if (last) tell({ kind: 'close', name: last.name, text: last.text.trim() });
  });
  try {
    for (let at = 0; at < xml.length; at += pieceLength) {
      parser.write(xml.slice(at, at + pieceLength));
      if (parser.position - since > longestToken) return;
    }
    parser.close();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
}

const five: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const predefined = (): Record<string, string> =>
  new Proxy({}, { get: (_none, name) => (Object.hasOwn(five, name) ? five[String(name)] : '') });

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** `xml:base` keeps its prefix; other prefixes say nothing that is of use here. */
const localNames = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name === 'xml:base' ? name : localName(name), value]),
  );
