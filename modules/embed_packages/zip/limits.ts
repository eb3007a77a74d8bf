/** What an archive may come to. */
export interface ArchiveLimits {
  readonly maxFiles: number;
  readonly maxUnpackedBytes: number;
  /** Unpacked bytes for each packed one: of an entry over 1 MiB, and of the whole. */
  readonly maxRatio: number;
}

/** Smaller entries may be packed as well as they like: blank pictures, logs, empty tables. */
export const freeOfRatio = 1024 * 1024;
