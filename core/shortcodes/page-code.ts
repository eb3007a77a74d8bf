import type { Logger } from 'pino';
import { CodedError } from '../api/errors.ts';
import type { Token } from '../api/provider.ts';
import type { PageCall } from '../api/shortcode.ts';
import type { Post } from '../content/post.ts';
import { Html } from '../http/pages/html.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { codedOf } from '../isolation/is-crash.ts';
import { legible } from '../isolation/legible.ts';
import { asModule } from '../isolation/running.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { Uses } from '../registry/uses.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { PagePlace, PageReader } from './page-place.ts';
import { ReaderCall } from './reader-call.ts';

/** Milliseconds that one piece of a page may take. */
const limitMs = 2_000;

export interface PageCodeParts {
  readonly settings: SettingsService;
  readonly uses: Uses;
  readonly resolve: (spec: ModuleSpec) => <T>(token: Token<T>) => T;
  /** Asked for at each crash: crashes are counted by what is made after the services. */
  readonly crashes: () => Crashes;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Who and what a piece of a page is made for. */
export interface PagePiece {
  /** Where a crash is said to have been. */
  readonly name: string;
  readonly module: ModuleSpec;
  readonly place: PagePlace;
  readonly reader: PageReader;
  readonly post: Post | null;
}

/** Code of a module did not make its piece of a page; `message` is for whoever looks after the page. */
export class PieceFailed extends Error {}

/** Runs code of modules that make pieces of pages: what goes wrong in it costs its own piece and nothing else. */
export class PageCode {
  readonly #parts: PageCodeParts;

  constructor(parts: PageCodeParts) {
    this.#parts = parts;
  }

  /**
   * What `act` makes, within two seconds.
   * @throws PieceFailed; the error of a database or storage that is not there, which is nobody's piece
   */
  async run(piece: PagePiece, act: (call: PageCall) => unknown): Promise<Html | null> {
    const { settings, uses, resolve, log, now } = this.#parts;
    const { module } = piece;
    const leave = uses.enter(module);
    const late = new AbortController();
    const call = new ReaderCall({
      ...piece,
      ...{ settings, now, signal: late.signal, get: resolve(module) },
      log: log.child({ module: module.id }),
    });
    // Old code is let go when it is done, however late.
    const work = Promise.resolve(asModule(module.id, async () => act(call))).finally(leave);
    const timer = setTimeout(() => late.abort(new PieceFailed('It took longer than 2 s.')), limitMs);
    try {
      return readPiece(await Promise.race([work, aborted(late.signal)]));
    } catch (thrown) {
      throw await this.#failed(piece, thrown);
    } finally {
      clearTimeout(timer);
      work.catch(() => undefined);
    }
  }

  async #failed({ name, module }: PagePiece, thrown: unknown): Promise<unknown> {
    if (thrown instanceof PieceFailed) {
      this.#parts.log.warn({ module: module.id, place: name }, 'a piece of a page took too long');
      return thrown;
    }
    const error = legible(thrown);
    const coded = codedOf(error);
    if (coded && !(error instanceof CodedError)) return error;
    if (coded) return new PieceFailed('It was refused.', { cause: error });
    await this.#parts.crashes().charge({ module: module.id, place: name, error });
    return new PieceFailed('It failed.', { cause: error });
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

function readPiece(made: unknown): Html | null {
  if (made === null || made instanceof Html) return made;
  throw new TypeError('A piece of a page must be made by html`…`, or new Html(…).');
}
