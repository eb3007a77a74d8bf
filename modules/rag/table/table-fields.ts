/** The fields of a row, in the order that counts where a request names no columns. */
export const tableFields = [
  'DT_RowId',
  'id_chunk',
  'id_post',
  'post_title',
  'status',
  'status_icon',
  'content',
  'content_hash',
  'word_count',
  'created_at',
  'created_at_human',
] as const;

export type TableField = (typeof tableFields)[number];

/** What rows can be ordered by, and the column that does it. */
export const orderable: Readonly<Partial<Record<TableField, string>>> = {
  id_chunk: 'c.id_chunk',
  id_post: 'c.id_post',
  post_title: 'post_title',
  status: 'c.status',
  content: 'c.content',
  content_hash: 'c.content_hash',
  word_count: 'c.word_count',
  created_at: 'c.created_at',
};

export const isField = (name: string): name is TableField =>
  (tableFields as readonly string[]).includes(name);
