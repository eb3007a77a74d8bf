import { isPlainObject, maxId, type PostFields, record, word, yup } from '@lyceum/core';

const dateForm =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

function isTime(text: string | undefined): boolean {
  if (text === undefined) return true;
  const found = dateForm.exec(text);
  if (!found || Number.isNaN(Date.parse(text))) return false;
  // "30 February" would be read as the 2nd of March.
  const day = new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])));
  return day.getUTCDate() === Number(found[3]);
}

/** Terms that one post may have in one taxonomy. */
const mostTerms = 1_000;

const isId = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxId;

const isTermSet = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= mostTerms && value.every(isId);

const areTerms = (terms: unknown): boolean =>
  terms === undefined || (isPlainObject(terms) && Object.values(terms).every(isTermSet));

const reference = () => yup.number().integer().min(0).max(maxId);

/** The fields that a body may give of a post, but for its type. */
export const postFields = {
  status: word('publish', 'draft', 'private', 'pending', 'future'),
  title: yup.string().max(500),
  slug: yup.string().max(1000),
  content: yup.string(),
  excerpt: yup.string().max(100_000),
  author_id: yup.number().integer().min(1).max(maxId),
  parent_id: reference(),
  menu_order: yup.number().integer().min(-maxId).max(maxId),
  lang: yup
    .string()
    .max(35)
    .matches(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/),
  featured_media: reference(),
  created_at: yup
    .string()
    .test('time', 'must be a time as in RFC 3339, with Z or an offset', isTime)
    .meta({ jsonSchema: { type: 'string', format: 'date-time' } }),
  meta: record(),
  terms: record({ type: 'array', items: { type: 'integer', minimum: 1 } }).test(
    'terms',
    `must be lists of at most ${mostTerms} term ids by taxonomy`,
    areTerms,
  ),
};

type Given = Omit<PostFields, 'terms' | 'moduleMeta'> & {
  readonly terms?: Readonly<Record<string, unknown>> | undefined;
};

/** The fields of a body as the service takes them: the time in UTC, term ids as such. */
export function fieldsOf(body: Given): PostFields {
  const terms = body.terms as PostFields['terms'];
  const created_at = body.created_at && new Date(body.created_at).toISOString();
  return { ...body, terms, created_at };
}
