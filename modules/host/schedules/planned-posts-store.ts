import type { SiteRef } from '@lyceum/core';
import type { Knex } from 'knex';

/**
 * Sites that have planned posts whose time has come, and no job at work on them. A post that a job could do nothing
 * about counts again after an hour, or when somebody changed it.
 */
export async function sitesWithDue(
  trx: Knex.Transaction,
  now: Date,
  types: readonly string[],
  job: string,
): Promise<SiteRef[]> {
  const { rows } = (await trx.raw(
    `select s.blog_id, s.network_id from sites s
     where s.state = 'ready'
       and s.blog_id in (
         select p.blog_id from posts p where p.status = 'future' and p.created_at <= :now and p.type = any(:types)
           and not exists (
             select 1 from jobs t where t.blog_id = p.blog_id and t.type = :job and t.status = 'completed'
               and (t.payload ->> 'due')::timestamptz
                 between greatest(p.created_at, p.modified_at) and :now
               and (t.payload ->> 'due')::timestamptz > (:now)::timestamptz - interval '1 hour'))
       and not exists (
         select 1 from jobs j where j.blog_id = s.blog_id and j.type = :job and j.status in ('pending', 'running'))
     order by s.blog_id`,
    { now, types: [...types], job },
  )) as { rows: SiteRef[] };
  return rows;
}

/** Ids of the site's posts whose time has come, the earliest first. */
export async function duePosts(
  trx: Knex.Transaction,
  blogId: number,
  now: Date,
  types: readonly string[],
  limit: number,
): Promise<number[]> {
  const rows = (await trx('posts')
    .where({ blog_id: blogId, status: 'future' })
    .where('created_at', '<=', now)
    .whereRaw('type = any(?)', [[...types]])
    .orderBy(['created_at', 'id'])
    .limit(limit)
    .select('id')) as { id: number }[];
  return rows.map(({ id }) => id);
}
