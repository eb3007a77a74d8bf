import { fail } from '../api/errors.ts';
import type { SecretDeclaration, SecretHolder, SecretPlace } from '../api/secret.ts';
import { findHolder, nobody, type Person } from '../auth/holder-store.ts';
import type { Database } from '../db/database.ts';
import type { Standing } from './access.ts';
import { type Exchange, NotSignedIn } from './exchange.ts';

/** The request as its secret has it: whoever else it names by cookie or password is left out. */
export interface Admitted {
  readonly exchange: Exchange;
  readonly standing: Standing;
}

/** The same request of nobody: only the secret counts. */
export const anonymousOf = (exchange: Exchange): Exchange => as(exchange, nobody);

/**
 * Finds whose secret the request brings.
 * @param recognise asks the module
 * @throws the secret's refusals, and what the module throws
 */
export async function admitBySecret(
  db: Database,
  exchange: Exchange,
  secret: SecretDeclaration,
  recognise: (presented: string) => Promise<unknown>,
): Promise<Admitted> {
  const presented = secretIn(exchange, secret.in);
  if (presented === '') refuse(secret, 'missing');
  const holder = (await recognise(presented)) as SecretHolder<unknown> | null;
  if (!holder) return refuse(secret, 'wrong');
  const person = holder.userId === null ? nobody : await findHolder(db, holder.userId, exchange.identity);
  if (!person) return refuse(secret, 'wrong');
  const standing: Standing = { kind: 'trusted', by: 'secret', proof: { secret, found: holder.proof } };
  return { exchange: as(exchange, person), standing };
}

function as(exchange: Exchange, person: Person): Exchange {
  const identity = { ...exchange.identity, ...person, application_password: null };
  return { ...exchange, identity, presented: { session: null, basic: null, nonce: null } };
}

/** Empty when there is none. */
function secretIn({ ctx }: Exchange, place: SecretPlace): string {
  if (place !== 'bearer') return ctx.get(place.header);
  const header = ctx.get('Authorization');
  return /^bearer(?: |$)/i.test(header) ? header.slice(6).trim() : '';
}

function refuse({ in: place, refusals }: SecretDeclaration, why: 'missing' | 'wrong'): never {
  const code = refusals[why];
  if (code === 'rest_forbidden') throw new NotSignedIn();
  return fail(code, place === 'bearer' ? { headers: { 'WWW-Authenticate': 'Bearer' } } : {});
}
