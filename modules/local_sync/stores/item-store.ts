import type { Knex } from 'knex';

/** A page of a project as it is listed. */
export interface ProjectItem {
  readonly key: string;
  readonly post_id: number;
  readonly post_type: string;
  readonly slug: string;
  readonly editor: string;
  readonly source_hash: string;
  readonly document_hash: string;
  readonly current_hash: string | null;
  readonly state: 'in_sync' | 'changed_on_site' | 'missing_on_site';
}

/** Of a post that is there its own slug, type and editor; else those that were noted. */
const items = (sql: Knex, projectIds: readonly number[]) =>
  sql('local_project_pages as n')
    .joinRaw(`left join posts p on p.id = n.post_id and p.blog_id = n.blog_id and p.status <> 'trash'`)
    .whereIn('n.project_id', [...projectIds]);

const shown = (sql: Knex) => [
  ...['n.project_id', 'n.key', 'n.post_id', 'n.source_hash', 'n.document_hash', 'p.hash as current_hash'],
  sql.raw('coalesce(p.type, n.post_type) as post_type'),
  sql.raw('coalesce(p.slug, n.slug) as slug'),
  sql.raw('coalesce(p.editor, n.editor) as editor'),
  sql.raw(
    `case when p.id is null then 'missing_on_site' when p.hash <> n.document_hash then 'changed_on_site'
       else 'in_sync' end as state`,
  ),
];

/** All pages of these projects, by project. One query. */
export async function itemsOf(
  sql: Knex,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ProjectItem[]>> {
  const rows = (await items(sql, projectIds).orderBy('n.key').select(shown(sql))) as (ProjectItem & {
    project_id: number;
  })[];
  return Map.groupBy(rows, (row) => row.project_id);
}

/** One page of those of a project, by key, and how many there are. */
export async function itemsPage(
  sql: Knex,
  projectId: number,
  { page, per_page }: { readonly page: number; readonly per_page: number },
): Promise<{ readonly items: readonly ProjectItem[]; readonly total: number }> {
  const [rows, count] = await Promise.all([
    items(sql, [projectId])
      .orderBy('n.key')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .select(shown(sql)),
    sql('local_project_pages').where({ project_id: projectId }).count({ total: '*' }).first(),
  ]);
  return { items: rows as unknown as ProjectItem[], total: Number(count?.total ?? 0) };
}
