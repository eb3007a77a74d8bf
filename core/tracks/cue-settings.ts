const percent = String.raw`(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%`;

/** Values that the settings of a cue may have. */
const values: Readonly<Record<string, RegExp>> = {
  vertical: /^(?:rl|lr)$/,
  line: new RegExp(String.raw`^(?:-?\d{1,9}|${percent})(?:,(?:start|center|end))?$`),
  position: new RegExp(`^${percent}(?:,(?:line-left|center|line-right))?$`),
  size: new RegExp(`^${percent}$`),
  align: /^(?:start|center|end|left|right)$/,
  region: /^[^\s]{1,200}$/,
};

/** Those settings of a text that WebVTT knows, each once; players pass over all others. */
export function knownSettings(text: string): string {
  const kept = new Map<string, string>();
  for (const setting of text.split(/[ \t\n\f]/)) {
    const colon = setting.indexOf(':');
    const name = setting.slice(0, Math.max(colon, 0));
    if (!Object.hasOwn(values, name) || kept.has(name)) continue;
    const value = setting.slice(colon + 1);
    if (values[name]?.test(value) && !value.includes('-->')) kept.set(name, value);
  }
  return [...kept].map(([name, value]) => `${name}:${value}`).join(' ');
}
