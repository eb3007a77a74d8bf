import { isPlainObject, maxId, moment, type PostFields, record, word, yup } from '@lyceum/core';

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
  created_at: moment(),
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
