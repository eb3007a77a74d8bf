import { isDocument } from '../package-path.ts';
import { scormLaunch } from './scorm.ts';
import { cmi5Launch, tincanLaunch } from './xapi.ts';

/** The content, as far as its beginning is looked for. */
export interface Content {
  readonly paths: ReadonlySet<string>;
  /** The text of a small file; null when it is longer than a manifest may be. */
  readonly text: (path: string) => Promise<string | null>;
}

const manifests = [
  ['imsmanifest.xml', scormLaunch],
  ['tincan.xml', tincanLaunch],
  ['cmi5.xml', cmi5Launch],
] as const;

/** Paths that may be the beginning, best first. */
async function* candidates({ paths, text }: Content, wanted: string | null): AsyncGenerator<string> {
  if (wanted !== null) yield wanted;
  yield 'index.html';
  yield 'index.htm';
  for (const [name, launchOf] of manifests) {
    const xml = paths.has(name) ? await text(name) : null;
    if (xml !== null) yield* launchOf(xml);
  }
  yield 'story.html';
  const documents = [...paths].filter(isDocument);
  const [only] = documents;
  if (only !== undefined && documents.length === 1) yield only;
}

/** The document that content begins with; null when nothing says which. */
export async function findEntry(content: Content, wanted: string | null): Promise<string | null> {
  for await (const path of candidates(content, wanted)) {
    if (isDocument(path) && content.paths.has(path)) return path;
  }
  return null;
}
