import { writeFile } from 'node:fs/promises';
import { generateSource } from 'oazapfts';

/**
 * Writes a typed client for what an installation serves right now, third-party modules included: one function per
 * operation, one answer type per status. The file needs `@oazapfts/runtime` beside it and nothing else.
 * @param description address of an `openapi.json`, or a path of one
 * @throws what reading the description or writing the file throws
 */
export async function writeClient(description: string, file: string): Promise<void> {
  const source = await generateSource(description, { futureStripLegacyMethods: true });
  await writeFile(file, source);
}
