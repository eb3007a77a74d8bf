import { audit, Database, isCoded, Memberships, Users, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import { isEmailDomainAllowed } from '../email-domains.ts';
import type { ImportContext } from './import-context.ts';
import type { WxrAuthor } from './wxr-record.ts';

/** Authors that one step looks up or creates. */
const perStep = 100;

const loginForm = /^[a-z0-9._@-]{3,60}$/;
const emailForm = yup.string().email().max(254).required();
const longest = { display: 200, name: 100 };
const newRole = 'author';

/** Who of the users each author of an export is. The same export and rules give the same answer in every run. */
export class Authors {
  readonly #ids = new Map<string, number>();
  readonly #standard: number;

  constructor(standard: number) {
    this.#standard = standard;
  }

  /** The user whom items of this creator get. */
  idOf(login: string): number {
    return this.#ids.get(login) ?? this.#standard;
  }

  set(login: string, id: number): void {
    this.#ids.set(login, id);
  }
}

/** Finds a user for each author, or creates one where that was asked for. What earlier runs did is looked up. */
export async function findAuthors(context: ImportContext): Promise<Authors> {
  const { survey, progress, tally, job, payload } = context;
  // In one order for all files, so that imports which bring the same authors do not wait for each other in a circle.
  const authors = [...survey.authors.values()].sort((a, b) =>
    a.login.toLowerCase() < b.login.toLowerCase() ? -1 : 1,
  );
  const found = new Authors(payload.default_author_id);
  const done = progress.doneIn('users');
  const domains = await domainRules(context);
  let at = 0;
  do {
    const batch = authors.slice(at, at + perStep);
    at += batch.length;
    if (at <= done && done > 0) {
      for (const author of batch) note(found, author, await present(context, job.get(Database).knex, author));
      continue;
    }
    await progress.step({ phase: 'users', at, message: `Found ${at} authors.` }, async (trx) => {
      for (const author of batch) {
        const id = await present(context, trx, author);
        if (id !== null) tally.existing('user');
        note(found, author, id ?? (await create(context, trx, author, domains)));
      }
    });
  } while (at < authors.length);
  return found;
}

function note(found: Authors, { login }: WxrAuthor, id: number | null): void {
  if (id !== null) found.set(login, id);
}

/** The user whom the caller named for the author, else one of the network with his login, else with his e-mail. */
async function present(
  { job, payload }: ImportContext,
  sql: Knex,
  { login, email }: WxrAuthor,
): Promise<number | null> {
  const users = job.get(Users);
  if (Object.hasOwn(payload.author_map, login)) {
    const mapped = await users.findKnown(sql, job.site, payload.author_map[login] ?? 0);
    if (mapped) return mapped.id;
  }
  for (const name of [login, email]) {
    const user = name === '' ? null : await users.findByName(sql, job.site, name);
    if (user && (await users.findKnown(sql, job.site, user.id))) return user.id;
  }
  return null;
}

interface DomainRules {
  readonly banned: readonly string[];
  readonly limited: readonly string[];
}

const domainRules = async ({ job }: ImportContext): Promise<DomainRules> => ({
  banned: await job.setting('banned_email_domains'),
  limited: await job.setting('limited_email_domains'),
});

async function create(
  context: ImportContext,
  trx: Knex.Transaction,
  author: WxrAuthor,
  { banned, limited }: DomainRules,
): Promise<number | null> {
  const { payload, tally } = context;
  // Somebody whom only items name has no address, and so no account.
  if (!payload.create_users || author.email === '') return null;
  const login = author.login.toLowerCase();
  const isGood = loginForm.test(login) && emailForm.isValidSync(author.email);
  if (!isGood || !isEmailDomainAllowed(author.email, banned, limited)) {
    tally.warnings.add(
      'user_not_created',
      'Has no login or e-mail that an account here may have.',
      `user:${login}`,
    );
    return null;
  }
  if (payload.dry_run) {
    tally.created('user');
    return null;
  }
  const id = await insert(context, trx, { ...author, login });
  if (id !== null) {
    tally.created('user');
    return id;
  }
  // Another import may have made the same author just now.
  const other = await present(context, trx, author);
  if (other !== null) tally.existing('user');
  else tally.warnings.add('user_not_created', 'The login or the e-mail is taken.', `user:${login}`);
  return other;
}

/** Null when the login or the e-mail is taken. In a savepoint: somebody may take it at the same moment. */
async function insert(
  { job, actor }: ImportContext,
  trx: Knex.Transaction,
  { login, email, displayName, firstName, lastName }: WxrAuthor,
): Promise<number | null> {
  const cut = (name: string, most: number): string => name.slice(0, most).toWellFormed();
  const account = {
    login,
    email,
    display_name: cut(displayName, longest.display),
    first_name: cut(firstName, longest.name),
    last_name: cut(lastName, longest.name),
  };
  try {
    return await trx.transaction(async (savepoint) => {
      const id = await job.get(Users).create(savepoint, account, null, job.site.network_id);
      await job.get(Memberships).set(savepoint, job.site.blog_id, id, newRole);
      await audit(savepoint, actor, {
        module: 'host',
        action: 'user.create',
        subject: `user:${id}`,
        to: { login, email, role: newRole },
      });
      return id;
    });
  } catch (error) {
    if (!isCoded(error)) throw error;
    return null;
  }
}
