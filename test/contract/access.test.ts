import { expect } from 'chai';
import type { Access } from '../../core/api/operation.ts';
import { errorRows } from '../../core/registry/declared-errors.ts';
import { specs } from '../../core/registry/spec.ts';
import type { TestHost } from '../kit/index.ts';
import { ask, pathToNothing } from './ask.ts';
import { startWithEverythingOn } from './everything-on.ts';

/** What each role adds to the one before, as the contract has it: written here again, so that a slip shows. */
const roleAdds: readonly (readonly [string, readonly string[]])[] = [
  ['subscriber', ['read']],
  ['contributor', ['edit_posts', 'delete_posts']],
  ['author', ['publish_posts', 'upload_files']],
  [
    'editor',
    [
      'edit_pages',
      'publish_pages',
      'delete_pages',
      'edit_others_posts',
      'edit_others_pages',
      'manage_categories',
      'read_private_pages',
    ],
  ],
  ['administrator', ['manage_options', 'list_users', 'promote_users', 'delete_sites']],
];

type Rows = ReturnType<typeof errorRows>;

type Proof = 'none' | 'cookie-alone' | 'wrong-nonce' | 'wrong-password' | 'full';

interface Person {
  readonly name: string;
  readonly proof: Proof;
  readonly role: string | null;
  readonly superAdmin: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the declared access lets somebody with these capabilities in; null where only code can say. */
function letsIn(access: Access, holds: (capability: string) => boolean): boolean | null {
  if ('public' in access || 'signedIn' in access) return true;
  if ('check' in access || 'secret' in access) return null;
  if ('can' in access) return holds(access.can);
  return 'canAny' in access ? access.canAny.some(holds) : access.canAll.every(holds);
}

/** How it refuses whoever comes without its secret, or with one that nobody has. */
function bySecret({ secret }: Extract<Access, { secret: unknown }>, brings: boolean, rows: Rows): string {
  const code = brings ? secret.refusals.wrong : secret.refusals.missing;
  return `${code === 'rest_forbidden' ? 401 : rows.get(code)?.status} ${code}`;
}

/** The refusal that the declaration demands: `null` for none, `undefined` where only code can say. */
function demanded(access: Access, person: Person, holds: (capability: string) => boolean, rows: Rows) {
  if ('public' in access) return null;
  if ('secret' in access) return bySecret(access, false, rows);
  const cookieIsEnough = 'signedIn' in access && access.withoutNonce !== undefined;
  if (person.proof === 'none') return '401 rest_forbidden';
  if (person.proof === 'wrong-password') return '401 rest_not_logged_in';
  if (person.proof === 'cookie-alone') return cookieIsEnough ? null : '403 rest_forbidden';
  if (person.proof === 'wrong-nonce') return cookieIsEnough ? null : '403 rest_cookie_invalid_nonce';
  const may = letsIn(access, holds);
  if (may === null) return undefined;
  return may ? null : '403 rest_forbidden';
}

describe('access of every operation', () => {
  let lyceum: TestHost;
  let people: Person[];
  const held = new Map<string, Set<string>>();

  before(async () => {
    lyceum = await startWithEverythingOn();
    people = await everybody(lyceum);
    const soFar = new Set<string>();
    for (const [role, added] of roleAdds) {
      for (const capability of added) soFar.add(capability);
      held.set(role, new Set(soFar));
    }
    for (const spec of specs(lyceum.host.modules)) {
      for (const [capability, { roles }] of Object.entries(spec.capabilities)) {
        for (const role of roles) held.get(role)?.add(capability);
      }
    }
  });
  after(() => lyceum.stop());

  it('is for each of eleven people exactly what the operation declares', async () => {
    const wrong: string[] = [];
    const rows = errorRows(lyceum.host.modules);
    for (const compiled of lyceum.host.routes.operations) {
      for (const person of people) {
        const holds = (capability: string): boolean =>
          person.superAdmin || (held.get(person.role ?? '')?.has(capability) ?? false);
        const expected = demanded(compiled.operation.access, person, holds, rows);
        const found = await refusal(lyceum, compiled.operation.method, pathToNothing(compiled), person);
        if (expected === undefined ? found?.startsWith('401') : found !== expected) {
          wrong.push(`${compiled.operation.id} for ${person.name}: ${found}, declared ${expected}`);
        }
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('by a secret is not had with one that nobody has, whoever brings it', async () => {
    const rows = errorRows(lyceum.host.modules);
    const wrong: string[] = [];
    for (const compiled of lyceum.host.routes.operations) {
      const { access, method, id } = compiled.operation;
      if (!('secret' in access)) continue;
      const place = access.secret.in;
      for (const made of ['x', 'A'.repeat(47), `sst_${'A'.repeat(43)}`]) {
        const secret: Record<string, string> =
          place === 'bearer' ? { Authorization: `Bearer ${made}` } : { [place.header]: made };
        for (const { name, headers } of people) {
          const person = { headers: { ...headers, ...secret } };
          const found = await refusal(lyceum, method, pathToNothing(compiled), person);
          const expected = bySecret(access, true, rows);
          if (found !== expected) wrong.push(`${id} for ${name}: ${found}, declared ${expected}`);
        }
      }
    }
    expect(wrong).to.deep.equal([]);
  });
});

/** How the gate refuses; null when it lets the request through, to input and handler. */
async function refusal(
  { origin, thrown }: TestHost,
  method: string,
  route: string,
  { headers }: Pick<Person, 'headers'>,
): Promise<string | null> {
  const before = thrown.length;
  const { status, json } = await ask(origin, { method, route, headers });
  const byHandler = thrown.length > before;
  return (status === 401 || status === 403) && !byHandler ? `${status} ${json?.code}` : null;
}

async function everybody(lyceum: TestHost): Promise<Person[]> {
  const { make } = lyceum;
  const person = (
    name: string,
    proof: Proof,
    headers: Person['headers'],
    more: Partial<Person> = {},
  ): Person => ({
    name,
    proof,
    headers,
    role: null,
    superAdmin: false,
    ...more,
  });
  const people = [person('nobody', 'none', {})];
  for (const [role] of roleAdds) {
    people.push(person(role, 'full', (await make.user({ role })).headers, { role }));
  }
  const other = await make.site();
  const elsewhere = await make.user({ role: 'administrator', site: other.blog_id });
  people.push(person('administrator of another site', 'full', elsewhere.headers));
  const admin = await make.user({ superAdminOf: 1 });
  people.push(person('super admin', 'full', admin.headers, { superAdmin: true }));
  const { cookie, signed } = await make.session(admin.id);
  people.push(
    person('super admin by cookie alone', 'cookie-alone', cookie.headers),
    person('super admin with a wrong nonce', 'wrong-nonce', {
      ...signed.headers,
      'X-Svc-Nonce': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA',
    }),
    person('super admin with a wrong password', 'wrong-password', {
      Authorization: `Basic ${Buffer.from(`${admin.login}:nothing of the kind`).toString('base64')}`,
    }),
  );
  return people;
}
