import { containing } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Summary } from '../plan/summary.ts';

export interface Project {
  readonly project_id: number;
  readonly project: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_sync_at: string | null;
  readonly last_sync_id: string | null;
  readonly last_summary: Summary | null;
}

export interface ListedProject extends Project {
  readonly blog_id: number;
  readonly pages: number;
  readonly files: number;
  readonly bytes: number;
}

const columns = [
  'project_id',
  'project',
  'name',
  'created_at',
  'last_sync_at',
  'last_sync_id',
  'last_summary',
];

/** Projects of sites, and whose turn it is to sync each. */
export class ProjectStore {
  async find(sql: Knex, blogId: number, project: string): Promise<Project | null> {
    const row = await sql('local_projects').where({ blog_id: blogId, project }).first(columns);
    return (row as Project | undefined) ?? null;
  }

  /** Makes the project where it is not there yet, and gives the turn to the sync. */
  async beginTurn(
    sql: Knex,
    wanted: {
      readonly blogId: number;
      readonly project: string;
      readonly name: string | null;
      readonly syncId: string;
    },
  ): Promise<Project> {
    const { blogId, project, name, syncId } = wanted;
    const { rows } = (await sql.raw(
      `insert into local_projects as p (blog_id, project, name, turn)
       values (:blogId, :project, coalesce(:name::text, :project), :syncId)
       on conflict (blog_id, project)
       do update set turn = excluded.turn, name = coalesce(:name::text, p.name)
       returning ${columns.join(', ')}`,
      { blogId, project, name, syncId },
    )) as { rows: Project[] };
    return rows[0] as Project;
  }

  /** Whether it is still the sync's turn; until the transaction ends nobody else gets it. */
  async hasTurn(trx: Knex.Transaction, projectId: number, syncId: string): Promise<boolean> {
    const query = trx('local_projects').where({ project_id: projectId, turn: syncId });
    return (await query.forShare().first('project_id')) !== undefined;
  }

  /** Notes what the sync did and ends its turn. False when it has it no longer. */
  async endTurn(
    trx: Knex.Transaction,
    projectId: number,
    syncId: string,
    summary: Summary,
  ): Promise<boolean> {
    const ended = await trx('local_projects')
      .where({ project_id: projectId, turn: syncId })
      .update({
        turn: null,
        last_sync_at: trx.raw('clock_timestamp()'),
        last_sync_id: syncId,
        last_summary: JSON.stringify(summary),
      });
    return ended > 0;
  }

  /** One page, newest sync first, and how many there are. Two queries. */
  async list(
    sql: Knex,
    filter: {
      readonly blogId: number;
      readonly search: string | undefined;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly projects: ListedProject[]; readonly total: number }> {
    const { blogId, search = '', limit, offset } = filter;
    const found = () => {
      const query = sql('local_projects as p').where('p.blog_id', blogId);
      const pattern = containing(search);
      if (search !== '') {
        query.where((either) => either.whereILike('p.project', pattern).orWhereILike('p.name', pattern));
      }
      return query;
    };
    const [projects, count] = await Promise.all([
      found()
        .joinRaw(
          `cross join lateral (
             select count(*) as files, coalesce(sum(f.bytes), 0)::bigint as bytes from local_project_files f
             where f.project_id = p.project_id and f.superseded_at is null
           ) as held`,
        )
        .orderByRaw('p.last_sync_at desc nulls last, p.project_id desc')
        .limit(limit)
        .offset(offset)
        .select('p.blog_id', 'held.files', 'held.bytes', ...columns.map((name) => `p.${name}`))
        .select(
          sql.raw('(select count(*) from local_project_pages g where g.project_id = p.project_id) as pages'),
        ),
      found().count({ total: '*' }).first(),
    ]);
    return { projects: projects as unknown as ListedProject[], total: Number(count?.total ?? 0) };
  }

  /** Forgets the project with its pages; its files have been taken from it before. */
  async remove(trx: Knex.Transaction, projectId: number): Promise<void> {
    await trx('local_projects').where({ project_id: projectId }).delete();
  }
}
