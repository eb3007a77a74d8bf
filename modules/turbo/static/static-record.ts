import type { Placeholder } from '@lyceum/core';

/** A file of a folder, by its name there. */
export interface StaticFile {
  readonly bytes: number;
  readonly sha256: string;
  readonly mime_type: string;
}

/** What a complete folder holds. */
export interface StaticContent {
  readonly files: Readonly<Record<string, StaticFile>>;
  readonly placeholders: readonly Placeholder[];
  /** Addresses of files that the page names and that could not be taken along. */
  readonly missing: readonly string[];
}

/** The folder that a page has. */
export interface StaticFolder extends StaticContent {
  readonly folder: string;
  readonly source_hash: string;
  readonly built_at: string;
}

/** Where the module's files of a site lie in the storage. */
export const folderKey = (blogId: number, folder: string): string => `sites/${blogId}/turbo/${folder}`;

/** Below `/files/`. */
export const areaFolder = 'turbo';

export const entryName = 'index.html';
export const scriptName = 'turbo.js';
export const styleName = 'turbo.css';
