import type { Knex } from 'knex';
import { searchQuestion } from '../search-text.ts';
import type { Attachment } from './attachment.ts';
import type { Reach } from './attachment-rights.ts';
import { attachmentColumns, attachmentIn, attachmentTables } from './attachment-store.ts';

/** Which attachments of a site a list has; absent fields leave nothing out. */
export interface AttachmentFilter {
  readonly blogId: number;
  /** `any`: all but the trash. */
  readonly status: 'publish' | 'private' | 'trash' | 'any';
  /** Beginning of the MIME type. */
  readonly mimeType?: string | undefined;
  /** All words, the last one as the beginning of one. */
  readonly search?: string | undefined;
  readonly parentId?: number | undefined;
  /** Whose eyes the list is for. */
  readonly userId: number;
  /** What he sees of `publish`, of `private`, and of every other status. */
  readonly reach: { readonly publish: Reach; readonly private: Reach; readonly others: Reach };
  readonly limit: number;
  readonly offset: number;
}

const within = (query: Knex.QueryBuilder, reach: Reach, userId: number): void => {
  if (reach === 'none') query.whereRaw('false');
  if (reach === 'own') query.where('p.author_id', userId);
};

function visible(query: Knex.QueryBuilder, { status, reach, userId }: AttachmentFilter): void {
  if (status !== 'any') {
    query.where('p.status', status);
    within(query, status === 'trash' ? reach.others : reach[status], userId);
    return;
  }
  query.whereNot('p.status', 'trash').andWhere((either) => {
    for (const named of ['publish', 'private'] as const) {
      either.orWhere((one) => {
        one.where('p.status', named);
        within(one, reach[named], userId);
      });
    }
    either.orWhere((other) => {
      other.whereNotIn('p.status', ['publish', 'private']);
      within(other, reach.others, userId);
    });
  });
}

function filtered(sql: Knex, filter: AttachmentFilter): Knex.QueryBuilder {
  const query = attachmentTables(sql, filter.blogId);
  visible(query, filter);
  if (filter.mimeType !== undefined) query.whereRaw('starts_with(a.mime_type, ?)', [filter.mimeType]);
  if (filter.parentId !== undefined) query.where('p.parent_id', filter.parentId);
  if (filter.search !== undefined && filter.search.trim() !== '') {
    const question = searchQuestion(filter.search);
    if (question === null) query.whereRaw('false');
    else query.whereRaw(`p.search @@ to_tsquery('simple', ?)`, [question]);
  }
  return query;
}

/** One page, newest first, and how many there are: two queries, whatever the filter. */
export async function listAttachments(
  sql: Knex,
  filter: AttachmentFilter,
): Promise<{ readonly items: Attachment[]; readonly total: number }> {
  const counted = await filtered(sql, filter).count({ total: '*' }).first();
  const rows = await filtered(sql, filter)
    .select(attachmentColumns)
    .orderBy([
      { column: 'p.created_at', order: 'desc' },
      { column: 'p.id', order: 'desc' },
    ])
    .limit(filter.limit)
    .offset(filter.offset);
  return {
    items: (rows as object[]).map(attachmentIn),
    total: Number((counted as { total: number } | undefined)?.total ?? 0),
  };
}
