import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/load.ts';
import { hashPassword } from '../auth/passwords.ts';
import { insertNetwork } from '../content/networks/new-network-store.ts';
import type { Database } from '../db/database.ts';

export interface FirstStart {
  readonly login: string;
  /** Set when it was generated: shown this once. */
  readonly generatedPassword: string | null;
}

/** On an empty database: network 1, site 1 and the first super admin. Null when they are there already. */
export async function firstStart(db: Database, config: Config, baseUrl: URL): Promise<FirstStart | null> {
  const found = await db.knex('networks').first('network_id');
  if (found) return null;
  const { login, email, password } = config.admin;
  const generated = password === null ? randomBytes(15).toString('base64url') : null;
  const passwordHash = await hashPassword(password ?? (generated as string));
  return db.transaction(async (trx) => {
    // Two processes may meet on the empty database: the second one waits here and then sees the first one's rows.
    await trx.raw('lock table networks in exclusive mode');
    if (await trx('networks').first('network_id')) return null;
    const [admin] = (await trx('users')
      .insert({ login, email, password_hash: passwordHash, display_name: login, nicename: nicenameOf(login) })
      .returning('id')) as { id: number }[];
    const userId = admin?.id as number;
    const path = baseUrl.pathname.endsWith('/') ? baseUrl.pathname : `${baseUrl.pathname}/`;
    const network = { domain: baseUrl.hostname.toLowerCase(), path, created_by: userId };
    const { network_id, blog_id } = await insertNetwork(trx, network, 'Lyceum');
    await trx('users').where({ id: userId }).update({ network_id });
    await trx('super_admins').insert({ network_id, user_id: userId });
    await trx('memberships').insert({ blog_id, user_id: userId, role: 'administrator' });
    await trx('network_options').insert({ network_id, name: 'site_name', value: JSON.stringify('Lyceum') });
    await trx('network_options').insert({ network_id, name: 'admin_email', value: JSON.stringify(email) });
    await trx('site_options').insert({ blog_id, name: 'admin_email', value: JSON.stringify(email) });
    return { login, generatedPassword: generated };
  });
}

const nicenameOf = (login: string): string => login.replaceAll(/[^a-z0-9-]+/g, '-');
