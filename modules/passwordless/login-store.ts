import type { Database, NamedStatement, Site } from '@lyceum/core';
import type { Knex } from 'knex';

interface Found {
  readonly id: number;
}

/** Members of the site, and super admins of its network. */
const here = `(exists (select 1 from memberships m where m.user_id = u.id and m.blog_id = $2)
  or exists (select 1 from super_admins a where a.user_id = u.id and a.network_id = $3))`;

const byText: NamedStatement = {
  name: 'passwordless-login',
  text: `select u.id from (
      select coalesce((select id from users where lower(login) = $1 or lower(email) = $1
        order by lower(login) = $1 desc limit 1), 0) as id) u
    where ${here}`,
};

/** Who is meant by a login or e-mail in lower case and may log in on the site; the rights of nobody are looked up, too. */
export async function findLogin(
  db: Database,
  text: string,
  { blog_id, network_id }: Pick<Site, 'blog_id' | 'network_id'>,
): Promise<number | null> {
  const [found] = await db.named<Found>(byText, [text, blog_id, network_id]);
  return found?.id ?? null;
}

const byId: NamedStatement = {
  name: 'passwordless-holder',
  text: `select u.id from users u where u.id = $1 and ${here} for key share of u`,
};

/** Whether the user may still log in there; his account stays until the transaction ends. */
export async function mayLogIn(
  db: Database,
  trx: Knex.Transaction,
  userId: number,
  { blog_id, network_id }: Pick<Site, 'blog_id' | 'network_id'>,
): Promise<boolean> {
  return (await db.named<Found>(byId, [userId, blog_id, network_id], trx)).length > 0;
}
