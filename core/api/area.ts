import type { Call } from './call.ts';

/** A stored file of a module, as it is served. */
export interface AreaFile {
  /** Where the bytes lie in the storage. */
  readonly file_key: string;
  /** Size of the stored file: another size there is a file that is not whole. */
  readonly bytes: number;
  readonly modified_at: Date;
  /** Lower case, without parameters. */
  readonly mime_type: string;
  /** Without quotes; printable ASCII. It must change whenever the bytes under this address do. */
  readonly etag: string;
  /** True where the address never gives other bytes. */
  readonly immutable: boolean;
  /** The name for saving; null where the address's own will do. */
  readonly filename: string | null;
  /**
   * The `Content-Security-Policy` under which pages and scripts run; null: they are saved, never shown. What other
   * people wrote must get `sandboxPolicy`, or one that lets none of their scripts run: else they run as the visitor.
   */
  readonly policy: string | null;
}

/**
 * Files of a module's own below `/files/{folder}/` of each site where it is on. Whoever knows an address may read what
 * is there: make them hard to guess. The host answers GET and HEAD with ranges and validators, and no service worker.
 */
export interface ServedArea {
  /** `<module>.<name>`, unique. */
  readonly id: string;
  readonly title: string;
  /** First segment below `/files/`, `[a-z][a-z-]{1,40}`. */
  readonly folder: string;
  /** True: scripts of any origin may read the files, as pages in a sandbox are of none. */
  readonly crossOrigin: boolean;
  /** Sent with every answer below the folder, also where nothing is, beside what the host sends. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What lies at a path below the folder: decoded, of any letters, without dot segments and control characters; it
   * ends with a slash where the address did, and is empty for the folder itself. Null: nothing (404 `file_not_found`).
   * It should cost one look into an index.
   */
  readonly find: (path: string, call: Call) => AreaFile | null | Promise<AreaFile | null>;
}

/** Declares files that a module serves. */
export const defineArea = (area: ServedArea): ServedArea => area;
