import type { Database } from '@lyceum/core';
import type { BindingStore } from './binding-store.ts';
import { shownPath } from './bindings.ts';
import type { ContentStore } from './content-store.ts';
import { type PackageFile, packageFolder } from './package.ts';

export type { PackageFile } from './package.ts';

/** What a page shows, for whoever takes pages elsewhere with all that belongs to them. */
export interface BoundPackage {
  readonly page_id: number;
  readonly package_id: number;
  /** Of the package. */
  readonly title: string;
  /** Rises with each new content: the same one has the same files. */
  readonly revision: number;
  /** Path of the document that the page shows, below the package. */
  readonly path: string;
  /** Path of the document that the package begins with. */
  readonly entry: string;
  /**
   * All files of the package, by path, read some hundred at a time; `file_key` is their key in the storage. Pages that
   * show one package give the same files. Content that is replaced meanwhile keeps its files for an hour.
   */
  files(): AsyncIterable<PackageFile>;
}

/** Packages of pages, with their files. */
export class PackageFiles {
  readonly #db: Database;
  readonly #bindings: BindingStore;
  readonly #content: ContentStore;

  constructor(db: Database, bindings: BindingStore, content: ContentStore) {
    this.#db = db;
    this.#bindings = bindings;
    this.#content = content;
  }

  /** What these pages of the site show, by page; those that show nothing, or an empty package, are left out. One query. */
  async ofPages(blogId: number, pageIds: readonly number[]): Promise<BoundPackage[]> {
    const found = await this.#bindings.find(this.#db.knex, blogId, pageIds);
    return found.flatMap((binding) => {
      const { package: shown, page_id } = binding;
      const path = shownPath(binding);
      if (!shown || shown.entry === null || path === null) return [];
      const { id, title, revision, entry } = shown;
      const files = () => this.#files(blogId, { id, revision });
      return [{ page_id, package_id: id, title, revision, path, entry, files }];
    });
  }

  async *#files(
    blogId: number,
    of: { readonly id: number; readonly revision: number },
  ): AsyncGenerator<PackageFile> {
    const folder = packageFolder(blogId, of.id);
    for await (const file of this.#content.files(this.#db.knex, of)) {
      yield { ...file, file_key: `${folder}/${file.file_key}` };
    }
  }
}
