import type { PackageDocument, PackageFile, Source } from './package.ts';

/** Content whose files are stored and which no package shows yet. */
export interface StoredContent {
  readonly source: Exclude<Source, 'none'>;
  /** The folder of its files, below that of the package. */
  readonly place: string;
  readonly entry: string;
  /** Their keys are those below the package's folder. */
  readonly files: readonly PackageFile[];
  /** The entry first. */
  readonly documents: readonly PackageDocument[];
  readonly bytes: number;
  readonly hash: string;
}
