import { memoryPages, validateXML } from 'xmllint-wasm';
import type { ApiType } from '../course.ts';
import { joinedSchema, schemaFiles } from './schemas.ts';

const manifestName = 'manifest.xml';

/** A manifest of 50,000 files has some 5 MB, and libxml2 takes about ten times as much. */
const mostPages = 256 * memoryPages.MiB;

/**
 * What is wrong with a manifest by the schemas of its format; empty when nothing is. No document type is allowed, so
 * that there are no entities to fill in; nothing is read but what is given here. In a thread of its own.
 */
export async function validateManifest(apiType: ApiType, manifest: string): Promise<readonly string[]> {
  if (apiType === 'local') return [];
  if (/<!(?:DOCTYPE|ENTITY)/i.test(manifest)) return ['A manifest has no document type.'];
  const schemas = schemaFiles(apiType).map(({ path, content }) => ({ fileName: path, contents: content }));
  try {
    const { valid, errors } = await validateXML({
      xml: { fileName: manifestName, contents: manifest },
      schema: { fileName: 'joined.xsd', contents: joinedSchema(apiType) },
      preload: schemas,
      maxMemoryPages: mostPages,
      modifyArguments: (given) => ['--nonet', ...given],
    });
    if (valid) return [];
    // The rest are remarks on the schemas themselves, and the lines that are quoted from the manifest.
    const problems = errors.flatMap(({ loc, message }) =>
      loc?.fileName === manifestName ? [`line ${loc.lineNumber}: ${message}`] : [],
    );
    return problems.length > 0 ? problems : errors.map(({ rawMessage }) => rawMessage);
  } catch (error) {
    // What is no XML at all ends the checker.
    return [error instanceof Error ? error.message.trim() : String(error)];
  }
}
