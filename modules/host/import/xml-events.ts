import { SaxesParser, type SaxesTagNS } from 'saxes';
import { BrokenXml, ForbiddenXml } from './import-problem.ts';

/** A piece of an XML file. Names are told by their namespace, whatever prefix a file gives it. */
export type XmlEvent =
  | { readonly kind: 'open'; readonly uri: string; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'close' }
  | { readonly kind: 'text'; readonly text: string };

export type Attributes = Readonly<Record<string, string>>;

/** Characters of one text or comment that the parser may have to hold. */
const longestToken = 16 * 1024 * 1024;

/** Of one tag: its attributes are read at once, a megabyte of them for more than half a second. */
const longestTag = 256 * 1024;

const deepest = 100;

/** Name characters of an entity; what has others is a stray `&` in a text. */
const entityName = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u;

const lines = (text: string): number => text.split('\n').length - 1;

/**
 * Reads well-formed XML as it comes. Memory is bounded by the longest token. Text of one element may come in several
 * pieces: plain text and CDATA sections in their order.
 * @throws ForbiddenXml at a document type or an entity beyond the five
 * @throws BrokenXml after the events that stand before the fault
 */
export async function* xmlEvents(text: AsyncIterable<string>): AsyncGenerator<readonly XmlEvent[]> {
  const reader = new Reader();
  for await (const chunk of text) yield* reader.read((parser) => parser.write(chunk));
  yield* reader.read((parser) => parser.close());
}

class Reader {
  readonly #parser: SaxesParser<{ xmlns: true }>;
  #events: XmlEvent[] = [];
  #depth = 0;
  #tokenStart = 0;
  #isInTag = false;

  constructor() {
    const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
    this.#parser = parser;
    parser.ENTITIES = this.#entities();
    parser.on('doctype', () => {
      throw new ForbiddenXml();
    });
    parser.on('error', (error) => this.#refuse(error.message.replace(/^\d+:\d+: /, '')));
    parser.on('opentagstart', () => {
      this.#isInTag = true;
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
    parser.on('comment', () => this.#token());
    parser.on('processinginstruction', () => this.#token());
  }

  /** The events of a piece; one that is broken in the middle gives those before, and then throws. */
  *read(advance: (parser: SaxesParser<{ xmlns: true }>) => void): Generator<readonly XmlEvent[]> {
    let problem: unknown = null;
    try {
      advance(this.#parser);
      const longest = this.#isInTag ? longestTag : longestToken;
      if (this.#parser.position - this.#tokenStart > longest) this.#refuse('a text or tag is too long.');
    } catch (error) {
      problem = error;
    }
    const events = this.#events;
    this.#events = [];
    if (!(problem instanceof ForbiddenXml) && events.length > 0) yield events;
    if (problem !== null) throw problem;
  }

  /** Only the five of XML itself are looked up; asking for any other is the file's last act. */
  #entities(): Record<string, string> {
    const five: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
    return new Proxy(
      {},
      {
        get: (_none, name) => {
          const entity = String(name);
          if (Object.hasOwn(five, entity)) return five[entity];
          if (entityName.test(entity)) throw new ForbiddenXml();
          // All that follows a stray "&" up to the next semicolon was taken for a name.
          throw new BrokenXml(this.#parser.line - lines(entity), 'a character "&" stands for nothing.');
        },
      },
    );
  }

  #refuse(problem: string): never {
    throw new BrokenXml(this.#parser.line, problem);
  }

  #token(): void {
    this.#tokenStart = this.#parser.position;
  }

  #open({ uri, local, attributes }: SaxesTagNS): void {
    this.#token();
    this.#isInTag = false;
    this.#depth += 1;
    if (this.#depth > deepest) this.#refuse(`elements are nested deeper than ${deepest} levels.`);
    const own = Object.values(attributes).filter((attribute) => attribute.prefix === '');
    this.#events.push({
      kind: 'open',
      uri,
      name: local,
      attributes: Object.fromEntries(own.map(({ name, value }) => [name, value])),
    });
  }

  #close(): void {
    this.#token();
    this.#depth -= 1;
    this.#events.push({ kind: 'close' });
  }

  #text(text: string): void {
    this.#token();
    this.#events.push({ kind: 'text', text });
  }
}
