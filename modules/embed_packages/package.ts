/** Where the content of a package came from; `none` before it has any. */
export type Source = 'zip' | 'html' | 'none';

/** A package as it is stored. */
export interface Package {
  readonly id: number;
  readonly blog_id: number;
  readonly title: string;
  readonly slug: string;
  readonly source: Source;
  readonly entry: string | null;
  /** 0 before it has content; one more with each new content. */
  readonly revision: number;
  /** The folder of this revision's files, below that of the package. */
  readonly place: string | null;
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of what was given, 64 hex digits. */
  readonly content_hash: string | null;
  /** 32 hex digits, part of every address of its files. */
  readonly token: string;
  readonly author_id: number;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A file of a package. */
export interface PackageFile {
  readonly path: string;
  /** In the storage. */
  readonly file_key: string;
  readonly bytes: number;
  readonly mime_type: string;
}

/** An HTML document of a package. */
export interface PackageDocument {
  readonly path: string;
  readonly title: string;
  readonly lang: string | null;
}

/** The folder in the storage that has all files of a package. */
export const packageFolder = (blogId: number, packageId: number): string =>
  `sites/${blogId}/embed-packages/${packageId}`;
