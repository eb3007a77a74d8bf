const form = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/;

/** Milliseconds of a date and time as in UTC; null for one that no calendar has, the zeros of old exports included. */
function readTime(text: string): number | null {
  const found = form.exec(text);
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(time);
  // Date.UTC takes years below 100 for those of the 20th century, and the 31st of June for the 1st of July.
  const isReal = year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && hour < 24 && minute < 60 && second < 60 ? time : null;
}

/** Turns times of an export into moments. */
export class LocalTime {
  readonly #format: Intl.DateTimeFormat;

  /** @param timeZone IANA name of the zone of local times */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** RFC 3339 of the time in UTC, else of the one on the wall of the zone; null when neither can be read. */
  moment(utc: string, local: string): string | null {
    const time = readTime(utc) ?? this.#fromWall(readTime(local));
    return time === null ? null : new Date(time).toISOString();
  }

  #fromWall(wall: number | null): number | null {
    if (wall === null) return null;
    // The zone's offset at the time itself is wanted; that of the wall time as UTC may lie across a change.
    const near = wall - this.#offset(wall);
    return wall - this.#offset(near);
  }

  /** Milliseconds that clocks of the zone are ahead of UTC at a moment. */
  #offset(moment: number): number {
    const parts = new Map(this.#format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const wall = Date.UTC(
      number('year'),
      number('month') - 1,
      number('day'),
      number('hour'),
      number('minute'),
      number('second'),
    );
    return wall - Math.floor(moment / 1000) * 1000;
  }
}
