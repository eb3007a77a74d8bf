const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}

/** A time on the clocks of a zone, as `05.03.2025 14:07`. */
export function localTime(time: string, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(new Date(time));
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((one) => one.type === type)?.value ?? '';
  return `${part('day')}.${part('month')}.${part('year').padStart(4, '0')} ${part('hour')}:${part('minute')}`;
}
