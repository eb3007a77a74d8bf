import { invalidParams, isPlainObject, maxId } from '@lyceum/core';

/** Logins that one map may name. */
const mostLogins = 10_000;

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxId;

/** User ids by login, from the JSON text of a form's field. @throws `rest_invalid_param` naming `author_map` */
export function readAuthorMap(text: string | undefined): Readonly<Record<string, number>> {
  if (text === undefined || text.trim() === '') return {};
  const map = parsed(text);
  if (!isPlainObject(map)) invalidParams({ author_map: 'must be a JSON object of user ids by login' });
  const entries = Object.entries(map);
  if (entries.length > mostLogins) invalidParams({ author_map: `must name at most ${mostLogins} logins` });
  return Object.fromEntries(
    entries.map(([login, id]) => {
      if (!isId(id) || login === '__proto__') invalidParams({ author_map: 'must have user ids as values' });
      return [login, id];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
