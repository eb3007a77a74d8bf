/** Why an archive is refused as a whole. */
export type ArchiveReason =
  | 'not_zip'
  | 'encrypted'
  | 'unsafe_path'
  | 'link'
  | 'duplicate'
  | 'overlap'
  | 'too_many_files'
  | 'too_large'
  | 'ratio'
  | 'unsupported_method';

/** An archive that is refused: nothing of it is kept. */
export class ArchiveProblem extends Error {
  readonly reason: ArchiveReason;
  /** Name of the entry that is to blame, as far as one is. */
  readonly entry: string | null;

  constructor(reason: ArchiveReason, entry: string | null, cause?: unknown) {
    super(`The archive is refused: ${reason}.`, { cause });
    this.reason = reason;
    this.entry = entry;
  }
}

/** Throws the problem. */
export function refuse(reason: ArchiveReason, entry: string | null): never {
  throw new ArchiveProblem(reason, entry);
}
