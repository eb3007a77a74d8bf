const mostBytes = 256 * 1024;
const mostLevels = 20;
const mostKeys = 2_000;
const longestKey = 100;

/** Keys that mean something else than a key to whoever assigns them. */
const refusedKeys = new Set(['__proto__', 'prototype', 'constructor']);

/** What a browser may run where it expects an address. */
const scripts = ['javascript:', 'vbscript:', 'data:text/html'] as const;
const noScript = `must not begin with ${scripts.join(', ')}`;
const longestScript = Math.max(...scripts.map(({ length }) => length));

interface Open {
  readonly value: object;
  readonly level: number;
  /** Its place as `link.url`, for the message; empty for the whole. */
  readonly at: string;
}

/**
 * What is wrong with the settings of an element, by the first fault that is met; null when nothing is. One look at
 * each value, and no recursion.
 */
export function settingsFault(settings: object): string | null {
  const open: Open[] = [{ value: settings, level: 1, at: '' }];
  let keys = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, level, at } = next;
    if (level > mostLevels) return `must have at most ${mostLevels} levels`;
    const isList = Array.isArray(value);
    const members = Object.entries(value);
    if (!isList) keys += members.length;
    if (keys > mostKeys) return `must have at most ${mostKeys} keys`;
    for (const [key, member] of members) {
      const fault = isList ? null : keyFault(key);
      if (fault !== null) return fault;
      const place = at === '' ? key : `${at}.${key}`;
      if (typeof member === 'string' && beginsLikeScript(member)) return `${place} ${noScript}`;
      if (typeof member === 'object' && member !== null) {
        open.push({ value: member, level: level + 1, at: place });
      }
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  return bytes > mostBytes ? `must have at most ${mostBytes} bytes as JSON` : null;
}

function keyFault(key: string): string | null {
  if (key.length < 1 || key.length > longestKey) return `must have keys of 1 to ${longestKey} characters`;
  if (refusedKeys.has(key)) return `must not have the key ${key}`;
  return beginsLikeScript(key) ? `has a key that ${noScript}` : null;
}

/** Whether the text begins so once spaces and control characters are dropped, as browsers drop them. */
function beginsLikeScript(text: string): boolean {
  let beginning = '';
  for (const character of text) {
    if (/[\s\p{Cc}]/u.test(character)) continue;
    beginning += character.toLowerCase();
    if (beginning.length >= longestScript) break;
  }
  return scripts.some((script) => beginning.startsWith(script));
}
