import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Package } from './package.ts';

/** What a page shows. */
export interface Binding {
  readonly page_id: number;
  readonly package_id: number;
  /** Null: the entry, whichever that is. */
  readonly path: string | null;
  readonly materialized: boolean;
  readonly updated_at: string;
}

/** A binding with its package, as far as it is still there. */
export interface FoundBinding extends Binding {
  readonly package: Pick<Package, 'id' | 'blog_id' | 'title' | 'entry' | 'revision' | 'token'> | null;
  /** The bound document is one of the package as it is now. */
  readonly has_path: boolean;
}

export type NewBinding = Omit<Binding, 'updated_at'> & { readonly blog_id: number };

interface Row extends Binding {
  readonly package: FoundBinding['package'];
  readonly has_path: boolean;
}

const found = `
  select b.page_id, b.package_id, b.path, b.materialized, b.updated_at,
    case when p.id is not null then json_build_object('id', p.id, 'blog_id', p.blog_id, 'title', p.title,
      'entry', p.entry, 'revision', p.revision, 'token', p.token) end as package,
    d.path is not null as has_path
  from embed_page_bindings b
    left join embed_packages p on p.id = b.package_id and p.blog_id = b.blog_id
    left join embed_package_pages d on d.package_id = p.id and d.revision = p.revision and d.path = b.path`;

const ofPage: NamedStatement = {
  name: 'embed-page-binding',
  text: `${found} where b.page_id = $1 and b.blog_id = $2`,
};

/** Which page shows which package. */
export class BindingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The binding of one page; asked for whenever somebody looks at it. */
  async ofPage(blogId: number, pageId: number): Promise<FoundBinding | null> {
    const [row] = await this.#db.lookUp<Row>(ofPage, [pageId, blogId]);
    return row ?? null;
  }

  /** Bindings of these pages of the site. */
  async find(sql: Knex, blogId: number, pageIds: readonly number[]): Promise<FoundBinding[]> {
    const { rows } = (await sql.raw(
      `${found} where b.blog_id = :blogId and b.page_id = any(:pageIds::int[]) order by b.page_id`,
      { blogId, pageIds: [...pageIds] },
    )) as { rows: Row[] };
    return rows;
  }

  /** In place of whatever the page showed; what it shows already stays as it is. False then. */
  async put(trx: Knex.Transaction, binding: NewBinding): Promise<boolean> {
    const { rowCount } = (await trx.raw(
      `insert into embed_page_bindings as b (page_id, blog_id, package_id, path, materialized)
       values (:page_id, :blog_id, :package_id, :path, :materialized)
       on conflict (page_id) do update set package_id = excluded.package_id, path = excluded.path,
         materialized = excluded.materialized, updated_at = clock_timestamp()
       where (b.package_id, b.path) is distinct from (excluded.package_id, excluded.path)`,
      { ...binding },
    )) as { rowCount: number };
    return rowCount > 0;
  }

  async insertMany(trx: Knex.Transaction, bindings: readonly NewBinding[]): Promise<void> {
    if (bindings.length > 0) await trx('embed_page_bindings').insert([...bindings]);
  }

  /** What the page showed; null when it showed nothing. */
  async remove(trx: Knex.Transaction, blogId: number, pageId: number): Promise<Binding | null> {
    const query = trx('embed_page_bindings').where({ blog_id: blogId, page_id: pageId }).delete();
    const [row] = (await query.returning([
      'page_id',
      'package_id',
      'path',
      'materialized',
      'updated_at',
    ])) as Binding[];
    return row ?? null;
  }

  /** The copy of a page shows what the page does. */
  async copy(trx: Knex.Transaction, fromPage: number, toPage: number): Promise<void> {
    await trx.raw(
      `insert into embed_page_bindings (page_id, blog_id, package_id, path, materialized)
       select :toPage, blog_id, package_id, path, materialized from embed_page_bindings where page_id = :fromPage
       on conflict (page_id) do nothing`,
      { fromPage, toPage },
    );
  }

  /** Pages that show one of the packages and are not in the trash, by package and id. */
  async livePages(
    sql: Knex,
    packageIds: readonly number[],
  ): Promise<{ readonly package_id: number; readonly page_id: number; readonly path: string | null }[]> {
    const { rows } = (await sql.raw(
      `select b.package_id, b.page_id, b.path from embed_page_bindings b join posts p on p.id = b.page_id
       where b.package_id = any(:packageIds::int[]) and p.blog_id = b.blog_id and p.status <> 'trash'
       order by b.package_id, b.page_id`,
      { packageIds: [...packageIds] },
    )) as { rows: { package_id: number; page_id: number; path: string | null }[] };
    return rows;
  }
}
