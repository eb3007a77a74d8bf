import type { Database, NamedStatement } from '../db/database.ts';
import type { IdentityRow } from './identity.ts';

/** The part of an identity that tells of the user, or of nobody. */
export type Person = Pick<
  IdentityRow,
  | 'user_id'
  | 'login'
  | 'email'
  | 'display_name'
  | 'nicename'
  | 'first_name'
  | 'last_name'
  | 'locale'
  | 'registered'
  | 'role'
  | 'chosen_role'
  | 'super_admin'
>;

/** The same columns as in the statement that identifies by cookie or password, for a user whom a secret names. */
const holder: NamedStatement = {
  name: 'holder',
  text: `
    select u.id as user_id, u.login, u.email, u.display_name, u.nicename, u.first_name, u.last_name, u.locale,
      u.registered, m.role, cm.role as chosen_role, sa.user_id is not null as super_admin
    from users u
    left join memberships m on m.user_id = u.id and m.blog_id = $2
    left join memberships cm on cm.user_id = u.id and cm.blog_id = $3::int
    left join super_admins sa on sa.user_id = u.id and sa.network_id = $4
    where u.id = $1`,
};

/** The user with his standing on the site of the address and on the chosen one; null when he is gone. */
export async function findHolder(
  db: Database,
  userId: number,
  { blog_id, network_id, chosen }: Pick<IdentityRow, 'blog_id' | 'network_id' | 'chosen'>,
): Promise<Person | null> {
  const values = [userId, blog_id, chosen?.blog_id ?? null, network_id];
  const [person] = await db.lookUp<Person>(holder, values);
  return person ?? null;
}

export const nobody: Person = {
  user_id: null,
  login: '',
  email: '',
  display_name: '',
  nicename: '',
  first_name: '',
  last_name: '',
  locale: '',
  registered: '',
  role: null,
  chosen_role: null,
  super_admin: false,
};
