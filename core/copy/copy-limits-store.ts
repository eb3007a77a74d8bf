import type { Knex } from 'knex';

/** Which records a copy takes, fixed at its start. */
export interface CopyLimits {
  /** Greatest id by kind. */
  readonly limits: Readonly<Record<'post' | 'attachment' | 'term', number>>;
  readonly counts: Readonly<Record<'post' | 'attachment' | 'term', number>>;
  /** RFC 3339, of the database. */
  readonly now: string;
}

/** What the source has now: one statement, hence one moment. */
export async function readLimits(trx: Knex.Transaction, source: number): Promise<CopyLimits> {
  const { rows } = (await trx.raw(
    `select clock_timestamp()::timestamptz(3) as now, p.*, t.* from
       (select count(*) filter (where type <> 'attachment')::int as posts,
          count(*) filter (where type = 'attachment')::int as attachments,
          coalesce(max(id) filter (where type <> 'attachment'), 0) as post,
          coalesce(max(id) filter (where type = 'attachment'), 0) as attachment
        from posts where blog_id = :source and status <> 'trash') p,
       (select count(*)::int as terms, coalesce(max(id), 0) as term from terms where blog_id = :source) t`,
    { source },
  )) as { rows: Record<string, number & string>[] };
  const [row] = rows;
  if (!row) throw new Error('The source could not be counted.');
  const { post = 0, attachment = 0, term = 0, posts = 0, attachments = 0, terms = 0, now = '' } = row;
  return {
    limits: { post, attachment, term },
    counts: { post: posts, attachment: attachments, term: terms },
    now: String(now),
  };
}

/** Whether the source is still there to be read. */
export async function sourceIsThere(trx: Knex.Transaction, source: number): Promise<boolean> {
  return (await trx('sites').where({ blog_id: source, state: 'ready' }).first('blog_id')) !== undefined;
}

/** Records of each kind that the copy has. */
export interface TargetCounts {
  readonly post: number;
  readonly attachment: number;
  readonly file: number;
  readonly term: number;
}

export async function countTarget(trx: Knex.Transaction, target: number): Promise<TargetCounts> {
  const { rows } = (await trx.raw(
    `select
       (select count(*)::int from posts where blog_id = :target and type <> 'attachment') as post,
       (select count(*)::int from posts where blog_id = :target and type = 'attachment') as attachment,
       (select count(*)::int from attachments where blog_id = :target and file_key is not null) as file,
       (select count(*)::int from terms where blog_id = :target) as term`,
    { target },
  )) as { rows: TargetCounts[] };
  return rows[0] ?? { post: 0, attachment: 0, file: 0, term: 0 };
}

/**
 * Records of the source, none newer than the copy's beginning, that have no copy. One that came out of the trash
 * meanwhile was changed then, and is none of them.
 */
export async function countMissed(
  trx: Knex.Transaction,
  question: { readonly jobId: string; readonly source: number; readonly startedAt: string },
  limits: Readonly<Record<string, number>>,
  kind: 'post' | 'attachment' | 'term',
): Promise<number> {
  const what =
    kind === 'term'
      ? 'terms r where'
      : `posts r where type ${kind === 'post' ? '<>' : '='} 'attachment' and status <> 'trash'
           and modified_at < :startedAt and`;
  const { rows } = (await trx.raw(
    // A scalar look-up: of a join the planner, which knows nothing of a new map, would compare all with all.
    `select count(*)::int as missed from ${what} r.blog_id = :source and r.id <= :max and (
       select m.new_id from site_copy_map m where m.job_id = :jobId and m.kind = :kind and m.old_id = r.id) is null`,
    { ...question, kind, max: limits[kind] ?? 0 },
  )) as { rows: { missed: number }[] };
  return rows[0]?.missed ?? 0;
}
