import type { Knex } from 'knex';
import type { StateNotice } from './listener.ts';

/** Somebody's watch over a record, from the moment when it was made. */
export interface RecordWatching {
  /** True at the next change, at once if one came since the last look; false when the time is up or nobody waits. */
  next(milliseconds: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

interface Watcher {
  heard: boolean;
  wake: () => void;
}

/**
 * Clients that wait for the change of a record, woken by notices: no timer looks, and none holds a connection.
 * A topic is `<module>.<thing>:<id>`.
 */
export class RecordWatch {
  readonly #watchers = new Map<string, Set<Watcher>>();
  #closed = false;

  /** Tells of a change, in its transaction. */
  async tell(trx: Knex, topic: string): Promise<void> {
    await trx.raw(`select pg_notify('lyceum', ?)`, [JSON.stringify({ kind: 'record', topic })]);
  }

  /** Listens from now on: read the record after that. */
  watch(topic: string): RecordWatching {
    const watcher: Watcher = { heard: false, wake: () => undefined };
    const watchers = this.#watchers.get(topic) ?? new Set();
    watchers.add(watcher);
    this.#watchers.set(topic, watchers);
    return {
      next: async (milliseconds, signal) => {
        if (!watcher.heard && !this.#closed && !signal.aborted && milliseconds > 0) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            signal.addEventListener('abort', () => resolve(), { once: true });
            watcher.wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
        const { heard } = watcher;
        watcher.heard = false;
        return heard && !this.#closed;
      },
      close: () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && this.#watchers.get(topic) === watchers) this.#watchers.delete(topic);
      },
    };
  }

  /** A notice came, of whatever kind. */
  heard(notice: StateNotice): void {
    if (notice.kind === 'record') this.noticed(notice.topic);
    if (notice.kind === 'reconnected') this.missed();
  }

  /** A record changed. */
  noticed(topic: string): void {
    for (const watcher of this.#watchers.get(topic) ?? []) {
      watcher.heard = true;
      watcher.wake();
    }
  }

  /** Notices may have been missed: everybody looks. */
  missed(): void {
    for (const topic of [...this.#watchers.keys()]) this.noticed(topic);
  }

  /** The process is about to stop: everybody answers with what is known. */
  close(): void {
    this.#closed = true;
    this.missed();
  }
}
