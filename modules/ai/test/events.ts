/** An event of a stream as a client reads it. */
export interface ReadEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a whole stream; comments are left out. */
export const eventsIn = (text: string): ReadEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event: name, data: JSON.parse(data) as ReadEvent['data'] };
    });

/** What the pieces of the answer are together. */
export const spoken = (events: readonly ReadEvent[]): string =>
  events.flatMap(({ event, data }) => (event === 'delta' ? [String(data.text)] : [])).join('');
