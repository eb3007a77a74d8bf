import { isPlainObject } from '@lyceum/core';

/** A JSON object whose keys are anybody's. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Levels of nesting that a part may have. Each branch within a branch takes four, and large forms have some 25;
 * texts of 100,000 levels would end whoever walks through them.
 */
const deepest = 500;

/** Whether brackets outside of strings stay within the limit. Reads the text once, before it is parsed. */
function isShallow(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) return false;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return true;
}

/** The object that a text is the JSON of, or null. */
export function readObject(text: string): JsonObject | null {
  if (!isShallow(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * The definition under this name: the text as it is where it has that name already, else written anew. `name` keeps
 * its place, or comes last.
 */
export function named(text: string, definition: JsonObject, name: string): string {
  if (Object.hasOwn(definition, 'name') && definition.name === name) return text;
  const renamed = { ...definition };
  renamed.name = name;
  return JSON.stringify(renamed);
}
