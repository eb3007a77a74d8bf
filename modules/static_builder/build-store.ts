import { containing, type SiteRef } from '@lyceum/core';
import type { Knex } from 'knex';
import { activeStatuses, type Build } from './build.ts';

export interface BuildFilter {
  readonly blogId: number;
  readonly statuses: readonly string[];
  readonly courseId: number | null;
  readonly search: string;
}

/** What of a build changes. */
export type BuildChange = Partial<Omit<Build, 'id' | 'blog_id' | 'token' | 'modified_at'>>;

const asColumns = ({ config, page_ids, ...rest }: BuildChange): Record<string, unknown> => ({
  ...rest,
  ...(config && { config: JSON.stringify(config) }),
  ...(page_ids && { page_ids: [...page_ids] }),
});

/** SQL around builds. */
export class BuildStore {
  async insert(
    trx: Knex.Transaction,
    build: Pick<Build, 'blog_id' | 'build_course_id' | 'config' | 'page_ids' | 'token' | 'author_id'>,
  ): Promise<Build> {
    const { token, blog_id, author_id, ...given } = build;
    const row = { token, blog_id, author_id, ...asColumns(given) };
    const [inserted] = (await trx('static_builds').insert(row).returning('*')) as Build[];
    if (!inserted) throw new Error('A build was not written.');
    return inserted;
  }

  async find(sql: Knex, blogId: number, id: number): Promise<Build | null> {
    return ((await sql('static_builds').where({ id, blog_id: blogId }).first()) as Build | undefined) ?? null;
  }

  /** The same, kept as it is until the transaction ends. */
  async lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Build | null> {
    const query = trx('static_builds').where({ id, blog_id: blogId });
    return ((await query.forUpdate().first()) as Build | undefined) ?? null;
  }

  /** Writes a change of a locked build. */
  async change(trx: Knex.Transaction, id: number, change: BuildChange): Promise<Build> {
    const [build] = (await trx('static_builds')
      .where({ id })
      .update({ ...asColumns(change), modified_at: trx.fn.now() })
      .returning('*')) as Build[];
    if (!build) throw new Error(`The locked build ${id} is gone.`);
    return build;
  }

  /** Where a run is; the percentage never falls, and is 100 only at the end. */
  async progress(
    trx: Knex.Transaction,
    id: number,
    at: { readonly percent: number; readonly current: number; readonly total: number },
  ): Promise<void> {
    const { current, total } = at;
    const percent = trx.raw('greatest(percent, least(?::int, 99))', [Math.floor(at.percent)]);
    await trx('static_builds').where({ id }).update({ percent, current, total });
  }

  async remove(trx: Knex.Transaction, id: number): Promise<boolean> {
    return (await trx('static_builds').where({ id }).delete()) > 0;
  }

  /** One page of builds, the one that was changed last at the top. */
  async list(sql: Knex, filter: BuildFilter, limit: number, offset: number) {
    const { blogId, statuses, courseId, search } = filter;
    const matching = () => {
      const query = sql('static_builds').where('blog_id', blogId);
      if (statuses.length > 0) query.whereIn('status', [...statuses]);
      if (courseId !== null) query.where('build_course_id', courseId);
      if (search !== '') query.whereRaw(`config ->> 'course_name' ilike ?`, [containing(search)]);
      return query;
    };
    const newest = [
      { column: 'modified_at', order: 'desc' as const },
      { column: 'id', order: 'desc' as const },
    ];
    const [builds, count] = await Promise.all([
      matching().orderBy(newest).limit(limit).offset(offset),
      matching().count({ total: '*' }).first(),
    ]);
    const { total } = count as unknown as { total: number };
    return { builds: builds as Build[], total: Number(total) };
  }

  async ofCourse(sql: Knex, blogId: number, courseId: number): Promise<Build[]> {
    const query = sql('static_builds')
      .where({ blog_id: blogId })
      .whereRaw('build_course_id = ? and build_course_id <> 0', [courseId]);
    return (await query.orderBy([
      { column: 'modified_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])) as Build[];
  }

  /** Builds of these sites at which a worker is or may be, each with its job. */
  async workedOn(sql: Knex, of: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<Build[]> {
    const query = of(sql('static_builds').whereIn('status', ['build', 'rebuild', 'building']));
    return (await query.orderBy('id')) as Build[];
  }

  /** Sites of the network without a wish of their own about the module. */
  followers(sql: Knex, networkId: number): Knex.QueryBuilder {
    const own = sql('site_options as o')
      .whereRaw('o.blog_id = s.blog_id')
      .where('o.name', 'module:static_builder');
    return sql('sites as s').where('s.network_id', networkId).whereNotExists(own).select('s.blog_id');
  }

  /** The site, while it is there. */
  async site(sql: Knex, blogId: number): Promise<SiteRef | null> {
    const row = await sql('sites').where({ blog_id: blogId, state: 'ready' }).first('blog_id', 'network_id');
    return (row as SiteRef | undefined) ?? null;
  }

  /** What the end of a site makes of its builds: nobody is at work any more, or shall stop. */
  async stopOfSite(trx: Knex.Transaction, blogId: number): Promise<void> {
    await trx('static_builds')
      .where({ blog_id: blogId })
      .whereIn('status', [...activeStatuses])
      .update({ status: trx.raw(`case when run_id is not null then 'stopping' else 'stopped' end`) });
  }

  /** Takes builds out of a course that is gone: how many. */
  async leaveCourse(trx: Knex.Transaction, blogId: number, courseId: number): Promise<number> {
    const query = trx('static_builds').where({ blog_id: blogId, build_course_id: courseId });
    return query.whereRaw('build_course_id <> 0').update({ build_course_id: 0 });
  }
}
