import type { Knex } from 'knex';

/** What is noted of a page, and how its post stands. */
export interface NotedPage {
  readonly key: string;
  readonly post_id: number;
  readonly parent_id: number;
  readonly post_type: string;
  readonly slug: string;
  readonly editor: string;
  readonly source_hash: string;
  readonly document_hash: string;
  readonly fields_hash: string;
  /** Hash of the post's document as it is; null where the post is gone or in the trash. */
  readonly current_hash: string | null;
  /** A file that its document names has another content now. */
  readonly file_changed: boolean;
}

export interface PageNote extends Omit<NotedPage, 'current_hash' | 'file_changed'> {
  readonly project_id: number;
  readonly blog_id: number;
  /** Null where the one that is stored stays. */
  readonly source: string | null;
}

export interface FileVersion {
  readonly path: string;
  readonly sha256: string;
}

/** A post of the site by its slug. */
export interface SlugPost {
  readonly id: number;
  readonly type: string;
  readonly slug: string;
  readonly status: string;
  /** Key of the project's page that is noted with it. */
  readonly key: string | null;
}

/** Pages of projects: what was synced last, beside how it is now. */
export class PageStore {
  /**
   * Pages with these keys, or all of the project; besides, those whose files have other contents. One query.
   * @param coming contents that paths are about to get
   */
  async noted(
    sql: Knex,
    projectId: number,
    asked: {
      readonly keys: readonly string[];
      readonly all: boolean;
      readonly coming: readonly FileVersion[];
    },
  ): Promise<NotedPage[]> {
    const { keys, all, coming } = asked;
    const { rows } = (await sql.raw(
      `with effective as (
         select path, sha256 from unnest(:paths::text[], :hashes::text[]) as coming (path, sha256)
         union all
         select path, sha256 from local_project_files
         where project_id = :projectId and superseded_at is null and path <> all(:paths)
       ), changed as (
         select distinct u.key from local_page_files u join effective e using (path)
         where u.project_id = :projectId and u.sha256 <> e.sha256
       )
       select n.key, n.post_id, n.parent_id, n.post_type, n.slug, n.editor, n.source_hash, n.document_hash,
         n.fields_hash, p.hash as current_hash, c.key is not null as file_changed
       from local_project_pages n
         left join posts p on p.id = n.post_id and p.blog_id = n.blog_id and p.status <> 'trash'
         left join changed c on c.key = n.key
       where n.project_id = :projectId and (:all or n.key = any(:keys) or c.key is not null)
       order by n.key`,
      {
        projectId,
        all,
        keys: [...keys],
        paths: coming.map(({ path }) => path),
        hashes: coming.map(({ sha256 }) => sha256),
      },
    )) as { rows: NotedPage[] };
    return rows;
  }

  /** Posts that have one of these slugs among those of their type, those in the trash too. One query. */
  async bySlug(
    sql: Knex,
    place: { readonly blogId: number; readonly projectId: number | null },
    slugs: readonly { readonly type: string; readonly slug: string }[],
  ): Promise<SlugPost[]> {
    const { rows } = (await sql.raw(
      `select p.id, p.type, p.slug, p.status,
         (select n.key from local_project_pages n where n.post_id = p.id and n.project_id = :projectId limit 1) as key
       from unnest(:types::text[], :slugs::text[]) as asked (type, slug)
         join posts p on p.blog_id = :blogId and p.type = asked.type and p.slug = asked.slug`,
      {
        blogId: place.blogId,
        projectId: place.projectId ?? 0,
        types: slugs.map(({ type }) => type),
        slugs: slugs.map(({ slug }) => slug),
      },
    )) as { rows: SlugPost[] };
    return rows;
  }

  /** The source of a page as it was sent. */
  async source(sql: Knex, projectId: number, key: string): Promise<string> {
    const row = await sql('local_project_pages').where({ project_id: projectId, key }).first('source');
    if (!row) throw new Error('A page of the project is not noted any more.');
    return (row as { source: string }).source;
  }

  /** Notes the page, and which files its document names; null where it names what it named. */
  async note(
    trx: Knex.Transaction,
    { source, ...note }: PageNote,
    files: readonly FileVersion[] | null,
  ): Promise<void> {
    const synced = { ...note, synced_at: trx.raw('clock_timestamp()') };
    if (source === null) {
      await trx('local_project_pages').where({ project_id: note.project_id, key: note.key }).update(synced);
    } else {
      await trx('local_project_pages')
        .insert({ ...synced, source })
        .onConflict(['project_id', 'key'])
        .merge();
    }
    if (files === null) return;
    const { project_id, blog_id, key } = note;
    await trx('local_page_files').where({ project_id, key }).delete();
    if (files.length === 0) return;
    await trx.raw(
      `insert into local_page_files (project_id, blog_id, key, path, sha256)
       select :project_id, :blog_id, :key, path, sha256 from unnest(:paths::text[], :hashes::text[]) as f (path, sha256)`,
      {
        ...{ project_id, blog_id, key },
        paths: files.map(({ path }) => path),
        hashes: files.map(({ sha256 }) => sha256),
      },
    );
  }

  /** The page belongs to the project no longer. */
  async forget(trx: Knex.Transaction, projectId: number, key: string): Promise<void> {
    await trx('local_project_pages').where({ project_id: projectId, key }).delete();
  }
}
