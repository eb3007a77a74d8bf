import { type JsonToken, pastBlank, tokenAt } from './json-tokens.ts';
import { type IdKind, idForm, type NewId } from './references.ts';
import type { Edit } from './text-edits.ts';

/**
 * Which numbers of a JSON text are ids. `block`: those under certain keys, as attributes of blocks have them, alone
 * or in a list. `document`: those under `id` beside a `url`, as the data of page builders has them.
 */
export type JsonIdRule = 'block' | 'document';

const blockKinds: ReadonlyMap<string, readonly IdKind[]> = new Map<string, readonly IdKind[]>([
  ['id', ['attachment', 'post']],
  ['ids', ['attachment', 'post']],
  ['ref', ['post']],
  ['mediaId', ['attachment']],
  ['attachmentId', ['attachment']],
  ['postId', ['post', 'attachment']],
  ['termId', ['term']],
]);
const documentKinds: readonly IdKind[] = ['attachment', 'post'];
const termsOnly: readonly IdKind[] = ['term'];

/** Under these the objects describe terms. */
const termLists: ReadonlySet<string> = new Set(['categories', 'tags', 'terms']);

/** A number in an object that may be an id, and what is around it. */
interface Candidate {
  readonly key: string;
  readonly place: number;
  readonly start: number;
  readonly valueFrom: number;
  readonly valueTo: number;
  /** End of the member before it; null for the first one. */
  readonly previousEnd: number | null;
  /** Start of the member behind it; null for the last one. */
  nextStart: number | null;
}

interface Container {
  readonly isList: boolean;
  /** Under which it stands; an object in a list has that of the list. */
  readonly key: string;
  readonly candidates: Candidate[];
  members: number;
  previousEnd: number | null;
  memberStart: number;
  memberKey: string;
  valueFrom: number;
  hasUrl: boolean;
  ofTerms: boolean;
  /** Of a list: whether a member so far stays, and where members to be removed before the first such one begin. */
  keeps: boolean;
  cutFrom: number | null;
}

/** Deeper texts are left as they are: nobody writes them, and each open level costs memory. */
const mostLevels = 1_000;

type Expected = 'value' | 'first' | 'key' | 'colon' | 'next';

/** Walks one JSON value once, without recursion, and collects the edits that its ids need. */
export class JsonIds {
  readonly #text: string;
  readonly #rule: JsonIdRule;
  readonly #newId: NewId;
  readonly #edits: Edit[] = [];
  readonly #open: Container[] = [];
  #expected: Expected = 'value';

  constructor(text: string, rule: JsonIdRule, newId: NewId) {
    this.#text = text;
    this.#rule = rule;
    this.#newId = newId;
  }

  /** Null when no whole JSON value stands between the two places; `end` is where it ends. */
  walk(from: number, limit: number): { readonly end: number; readonly edits: readonly Edit[] } | null {
    for (let at = pastBlank(this.#text, from); ; at = pastBlank(this.#text, at)) {
      const [token, end] = tokenAt(this.#text, at, limit);
      if (token === 'none' || !this.#take(token, at, end)) return null;
      if (this.#open.length === 0 && this.#expected === 'next') return { end, edits: this.#edits };
      at = end;
    }
  }

  /** False when the token may not stand here. */
  #take(token: JsonToken, at: number, end: number): boolean {
    const top = this.#open.at(-1);
    if (this.#expected === 'next') return top !== undefined && this.#takeNext(top, token, end);
    if (this.#expected === 'colon') {
      this.#expected = 'value';
      return token === ':';
    }
    if (top && this.#expected === 'first' && token === (top.isList ? ']' : '}')) return this.#close(top, end);
    if (this.#expected === 'key' || (this.#expected === 'first' && top && !top.isList)) {
      return top !== undefined && this.#takeKey(top, token, at, end);
    }
    return this.#takeValue(top, token, at, end);
  }

  #takeNext(top: Container, token: JsonToken, end: number): boolean {
    if (token === (top.isList ? ']' : '}')) return this.#close(top, end);
    this.#expected = top.isList ? 'value' : 'key';
    return token === ',';
  }

  #takeKey(top: Container, token: JsonToken, at: number, end: number): boolean {
    this.#expected = 'colon';
    top.memberStart = at;
    top.memberKey = this.#text.slice(at + 1, Math.min(end - 1, at + 30));
    this.#begin(top, at);
    return token === 'string';
  }

  #takeValue(top: Container | undefined, token: JsonToken, at: number, end: number): boolean {
    if (top) {
      top.valueFrom = at;
      if (top.isList) this.#begin(top, at);
    }
    if (token === '{' || token === '[') {
      if (this.#open.length === mostLevels) return false;
      const key = top ? (top.isList ? top.key : top.memberKey) : '';
      this.#open.push(emptyContainer(token === '[', key));
      this.#expected = 'first';
      return true;
    }
    if (token !== 'string' && token !== 'number' && token !== 'word') return false;
    this.#end(top, token, end);
    return true;
  }

  /** A member begins: what was to be cut up to it is cut. */
  #begin(top: Container, at: number): void {
    const last = top.candidates.at(-1);
    if (last && last.place === top.members - 1) last.nextStart = at;
    if (top.cutFrom !== null && !top.keeps) this.#cut(top.cutFrom, at);
    if (!top.keeps) top.cutFrom = null;
  }

  #close(top: Container, end: number): boolean {
    if (top.isList) {
      if (top.cutFrom !== null && !top.keeps) this.#cut(top.cutFrom, top.previousEnd ?? top.cutFrom);
    } else {
      this.#editMembers(top);
    }
    this.#open.pop();
    this.#end(this.#open.at(-1), top.isList ? '[' : '{', end);
    return true;
  }

  /** A value ended; it is a member of the container on top, if there is one. */
  #end(top: Container | undefined, token: JsonToken, end: number): void {
    this.#expected = 'next';
    if (!top) return;
    if (top.isList) this.#endListed(top, token, end);
    else this.#endMember(top, token, end);
    top.previousEnd = end;
    top.members += 1;
  }

  #endMember(top: Container, token: JsonToken, end: number): void {
    const { memberKey: key, memberStart: start, valueFrom, previousEnd, members: place } = top;
    const value = token === 'number' || key === 'kind' ? this.#text.slice(valueFrom, end) : '';
    if (key === 'url' && token === 'string') top.hasUrl = true;
    if (key === 'kind' && value === '"taxonomy"') top.ofTerms = true;
    if (!idForm.test(value) || !(this.#rule === 'block' ? blockKinds.has(key) : key === 'id')) return;
    top.candidates.push({ key, place, start, valueFrom, valueTo: end, previousEnd, nextStart: null });
  }

  #endListed(top: Container, token: JsonToken, end: number): void {
    const { valueFrom, previousEnd } = top;
    const value = token === 'number' ? this.#text.slice(valueFrom, end) : '';
    const kinds = this.#rule === 'block' && idForm.test(value) ? blockKinds.get(top.key) : undefined;
    const id = kinds && this.#newId(kinds, Number(value));
    if (id === null) {
      if (top.keeps) this.#cut(previousEnd ?? valueFrom, end);
      else top.cutFrom = valueFrom;
      return;
    }
    top.keeps = true;
    if (id !== undefined) this.#edits.push({ from: valueFrom, to: end, with: String(id) });
  }

  #editMembers(top: Container): void {
    const removed: Candidate[] = [];
    for (const candidate of top.candidates) {
      const kinds = this.#kindsOf(top, candidate.key);
      const value = this.#text.slice(candidate.valueFrom, candidate.valueTo);
      const id = kinds && this.#newId(kinds, Number(value));
      if (id === null) removed.push(candidate);
      else if (id !== undefined) {
        this.#edits.push({ from: candidate.valueFrom, to: candidate.valueTo, with: String(id) });
      }
    }
    this.#removeMembers(top, removed);
  }

  #kindsOf(top: Container, key: string): readonly IdKind[] | undefined {
    if (this.#rule === 'document') return top.hasUrl ? documentKinds : undefined;
    return key === 'id' && (top.ofTerms || termLists.has(top.key)) ? termsOnly : blockKinds.get(key);
  }

  /** Takes out members with one comma each; of those at the end, the comma behind the last one that stays. */
  #removeMembers(top: Container, removed: readonly Candidate[]): void {
    let atEnd = top.members;
    for (const candidate of removed.toReversed()) {
      const { place, start, valueTo, previousEnd, nextStart } = candidate;
      if (place !== atEnd - 1) {
        this.#cut(start, nextStart ?? valueTo);
        continue;
      }
      atEnd = place;
      this.#cut(previousEnd ?? start, valueTo);
    }
  }

  #cut(from: number, to: number): void {
    this.#edits.push({ from, to, with: '' });
  }
}

const emptyContainer = (isList: boolean, key: string): Container => ({
  isList,
  key,
  candidates: [],
  members: 0,
  previousEnd: null,
  memberStart: 0,
  memberKey: '',
  valueFrom: 0,
  hasUrl: false,
  ofTerms: false,
  keeps: false,
  cutFrom: null,
});
