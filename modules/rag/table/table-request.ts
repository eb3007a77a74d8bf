import { invalidParams, yup } from '@lyceum/core';
import { isField, orderable, type TableField, tableFields } from './table-fields.ts';

const longestSearch = 200;
const mostColumns = 20;
const mostOrders = 5;

/** Rows of a page, also where all are asked for. */
const mostRows = 1_000;

const search = () =>
  yup.object({
    value: yup.string().max(longestSearch).nullable(),
    // No pattern of a stranger runs in the database.
    regex: yup.boolean().oneOf([false]),
  });

const column = yup.object({
  data: yup.string().max(100).nullable(),
  name: yup.string().max(100).nullable(),
  searchable: yup.boolean(),
  orderable: yup.boolean(),
  search: search().optional().default(undefined),
});

const order = yup.object({
  column: yup.number().integer().min(0).required(),
  dir: yup.string().oneOf(['asc', 'desc']).required(),
});

/** What a table of datatables.net asks for, by whichever way it comes. */
export const requestSchema = yup.object({
  draw: yup.number().integer().default(0),
  start: yup.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  length: yup.number().integer().min(-1).max(mostRows).notOneOf([0], 'must be 1 to 1000, or -1').default(25),
  search: search().optional().default(undefined),
  order: yup.array().of(order.required()).max(mostOrders),
  columns: yup.array().of(column.required()).max(mostColumns),
});

/** The request as the schema reads it. */
export type TableRequest = yup.InferType<typeof requestSchema>;

/** What is looked for in one field. */
export interface FieldSearch {
  readonly field: 'id_chunk' | 'id_post' | 'status' | 'content_hash' | 'content' | 'post_title';
  readonly value: string;
}

/** A page of the table: which rows, in which order. */
export interface TableQuery {
  readonly start: number;
  readonly length: number;
  /** Text that one of these fields must hold; null for any. */
  readonly anywhere: {
    readonly value: string;
    readonly fields: readonly ('content' | 'post_title')[];
  } | null;
  readonly each: readonly FieldSearch[];
  readonly order: readonly { readonly column: string; readonly dir: 'asc' | 'desc' }[];
}

type Column = NonNullable<TableRequest['columns']>[number];

/** @throws `rest_invalid_param` for a field that there is not, and for an order by one that has none */
export function readTableQuery(request: TableRequest): TableQuery {
  const columns = (request.columns ?? tableFields.map((data): Column => ({ data }))).map(checked);
  const value = request.search?.value ?? '';
  return {
    start: request.start,
    length: request.length === -1 ? mostRows : request.length,
    anywhere:
      value === ''
        ? null
        : { value, fields: (['content', 'post_title'] as const).filter(isSearched(columns)) },
    each: columns.flatMap(searchOf),
    order: (request.order ?? []).map((wish, at) => ({
      column: ordered(columns, wish.column, at),
      dir: wish.dir,
    })),
  };
}

interface CheckedColumn {
  /** Null for a column of buttons. */
  readonly field: TableField | null;
  readonly searchable: boolean;
  readonly orderable: boolean;
  readonly value: string;
}

function checked(column: Column, at: number): CheckedColumn {
  const data = column.data ?? '';
  if (data !== '' && !isField(data))
    return invalidParams({ [`columns[${at}].data`]: 'is no field of a row' });
  return {
    field: data === '' ? null : data,
    searchable: column.searchable ?? true,
    orderable: column.orderable ?? true,
    value: column.search?.value ?? '',
  };
}

const isSearched =
  (columns: readonly CheckedColumn[]) =>
  (field: TableField): boolean =>
    columns.every((column) => column.field !== field || column.searchable);

const searched: readonly (TableField | null)[] = [
  'id_chunk',
  'id_post',
  'status',
  'content_hash',
  'content',
  'post_title',
];

const searchOf = ({ field, value, searchable }: CheckedColumn): FieldSearch[] =>
  value === '' || !searchable || !searched.includes(field)
    ? []
    : [{ field: field as FieldSearch['field'], value }];

function ordered(columns: readonly CheckedColumn[], index: number, at: number): string {
  const column = columns[index];
  const sql = column?.orderable && column.field ? orderable[column.field] : undefined;
  return sql ?? invalidParams({ [`order[${at}].column`]: 'is no column that rows can be ordered by' });
}
