import type { Knex } from 'knex';

/** One batch of records: of which job, from where to where, and which ids. */
export interface Batch {
  readonly jobId: string;
  readonly source: number;
  readonly target: number;
  /** Ids above it, up to `max`. */
  readonly after: number;
  readonly max: number;
}

export interface CopiedBatch {
  /** Records that were copied. */
  readonly rows: number;
  /** The last id that was looked at; null when there are no more. */
  readonly last: number | null;
}

/** Rows of one batch. */
const mostRows = 500;

/** Bytes of one batch of long records; the last one of it may be longer by itself. */
const mostBytes = 16 * 1024 * 1024;

const termBatch = `
  batch as (
    select * from terms where blog_id = :source and id > :after and id <= :max order by id limit ${mostRows}
  )`;

/** Records with the lengths of their texts, as many as fit; lengths are known without reading the texts. */
const postBatch = (kind: 'post' | 'attachment') => `
  near as (
    select id, octet_length(content) + octet_length(excerpt) + pg_column_size(meta) as bytes from posts
    where blog_id = :source and id > :after and id <= :max
      and type ${kind === 'post' ? '<>' : '='} 'attachment' and status <> 'trash'
    order by id limit ${mostRows}
  ), fit as (
    select id from (select id, sum(bytes) over (order by id) - bytes as before from near) sized
    where before < ${mostBytes}
  ), batch as (
    select p.* from posts p join fit using (id) order by p.id
  )`;

const mapped = (kind: string, newId: string) => `
  mapped as (
    insert into site_copy_map (job_id, kind, old_id, new_id)
    select :jobId, '${kind}', id, ${newId} from batch order by id returning old_id, new_id
  )`;

const sequence = (table: string): string => `nextval(pg_get_serial_sequence('${table}', 'id'))`;

const done = 'select count(*)::int as rows, max(id) as last from batch';

async function run(trx: Knex.Transaction, text: string, batch: Batch): Promise<CopiedBatch> {
  const { rows } = (await trx.raw(text, { ...batch })) as { rows: CopiedBatch[] };
  return rows[0] ?? { rows: 0, last: null };
}

/** Copies terms of the site; their parents are still those of the source. */
export const copyTermRows = (trx: Knex.Transaction, batch: Batch): Promise<CopiedBatch> =>
  run(
    trx,
    `with ${termBatch}, ${mapped('term', sequence('terms'))}, written as (
       insert into terms (id, blog_id, taxonomy, name, name_key, slug, parent, "order", icon, names, meta)
       overriding system value
       select m.new_id, :target, b.taxonomy, b.name, b.name_key, b.slug, b.parent, b."order", b.icon, b.names, b.meta
       from batch b join mapped m on m.old_id = b.id
     ) ${done}`,
    batch,
  );

const postInsertion = `
  insert into posts (id, blog_id, type, status, title, slug, content, excerpt, author_id, parent_id, menu_order,
    lang, featured_media, meta, private_meta, hash, search, created_at, modified_at)
  overriding system value
  select m.new_id, :target, b.type, b.status, b.title, b.slug, b.content, b.excerpt, b.author_id, b.parent_id,
    b.menu_order, b.lang, b.featured_media, b.meta, b.private_meta, b.hash, b.search, b.created_at, b.modified_at
  from batch b join mapped m on m.old_id = b.id`;

/** Copies posts that are no attachments; what they refer to is still the source's. */
export const copyPostRows = (trx: Knex.Transaction, batch: Batch): Promise<CopiedBatch> =>
  run(
    trx,
    `with ${postBatch('post')}, ${mapped('post', sequence('posts'))}, written as (${postInsertion}) ${done}`,
    batch,
  );

/** Copies attachments without their files. */
export const copyAttachmentRows = (trx: Knex.Transaction, batch: Batch): Promise<CopiedBatch> =>
  run(
    trx,
    `with ${postBatch('attachment')}, ${mapped('attachment', sequence('posts'))}, written as (${postInsertion}),
     described as (
       insert into attachments (post_id, blog_id, mime_type, filename, width, height, duration, media_info,
         alt, source_url)
       select m.new_id, :target, a.mime_type, a.filename, a.width, a.height, a.duration, a.media_info,
         a.alt, a.source_url
       from mapped m join attachments a on a.post_id = m.old_id
     ) ${done}`,
    batch,
  );

/** Notes attachments that get no copy, so that references to them go. */
export const dropAttachmentRows = (trx: Knex.Transaction, batch: Batch): Promise<CopiedBatch> =>
  run(
    trx,
    `with batch as (
       select id from posts where blog_id = :source and id > :after and id <= :max and type = 'attachment'
       order by id limit ${mostRows}
     ), ${mapped('attachment', '0')} ${done}`,
    batch,
  );

/** Gives the copies of the records of one batch the copies of their terms. */
export async function copyAssignments(
  trx: Knex.Transaction,
  { jobId, target, after }: Batch,
  kind: 'post' | 'attachment',
  last: number,
): Promise<void> {
  await trx.raw(
    `insert into post_terms (blog_id, post_id, term_id)
     select :target, post_id, term_id from (
       select p.new_id as post_id, (
         select t.new_id from site_copy_map t
         where t.job_id = :jobId and t.kind = 'term' and t.old_id = x.term_id) as term_id
       from site_copy_map p join post_terms x on x.post_id = p.old_id
       where p.job_id = :jobId and p.kind = :kind and p.old_id > :after and p.old_id <= :last) assigned
     where term_id is not null`,
    { jobId, target, after, kind, last },
  );
}

/** Copies memberships, by user. */
export async function copyMembers(
  trx: Knex.Transaction,
  { source, target, after }: Pick<Batch, 'source' | 'target' | 'after'>,
): Promise<CopiedBatch> {
  const { rows } = (await trx.raw(
    `with batch as (
       select user_id as id, role from memberships where blog_id = :source and user_id > :after
       order by user_id limit ${mostRows}
     ), written as (
       insert into memberships (blog_id, user_id, role) select :target, id, role from batch
     ) ${done}`,
    { source, target, after },
  )) as { rows: CopiedBatch[] };
  return rows[0] ?? { rows: 0, last: null };
}
