import type { Access } from '../../api/operation.ts';
import type { SecretDeclaration } from '../../api/secret.ts';

const quoted = (names: readonly string[], joint: string): string =>
  names.map((name) => `\`${name}\``).join(joint);

/** Who may use an operation, in words. `single`: the installation has one site only. */
export function accessInWords(access: Access, single: boolean): string {
  if ('public' in access) return `Anybody: ${access.public}`;
  if ('signedIn' in access) {
    const alone = access.withoutNonce;
    return `Any signed-in caller${alone === undefined ? '' : `; the cookie is enough without nonce: ${alone}`}`;
  }
  if ('secret' in access) {
    const may = access.can === undefined ? '' : `, whose user has the capability ${quoted([access.can], '')}`;
    return `Holders of the secret \`${access.secret.id}\`${may}`;
  }
  if ('check' in access) return `Signed-in callers: ${access.because}`;
  if ('can' in access) {
    const capability = (single ? access.onSingleSite : undefined) ?? access.can;
    return `Capability ${quoted([capability], '')}`;
  }
  if ('canAny' in access) return `One of the capabilities ${quoted(access.canAny, ', ')}`;
  return `The capabilities ${quoted(access.canAll, ' and ')}`;
}

/** Names of the security schemes of the description. */
export const schemes = { cookie: 'session', nonce: 'nonce', basic: 'application_password' } as const;

type Requirement = Readonly<Record<string, readonly string[]>>;

/** Ways to prove who one is: any one of the list. An empty list: no proof is asked for. */
export function securityOf(access: Access): Requirement[] {
  if ('public' in access) return [];
  if ('secret' in access) return [{ [access.secret.id]: [] }];
  const cookieAlone = 'signedIn' in access && access.withoutNonce !== undefined;
  return [
    cookieAlone ? { [schemes.cookie]: [] } : { [schemes.cookie]: [], [schemes.nonce]: [] },
    { [schemes.basic]: [] },
  ];
}

/** The security scheme of a module's own secret. */
export function secretScheme({ title, in: place }: SecretDeclaration): Readonly<Record<string, string>> {
  return place === 'bearer'
    ? { type: 'http', scheme: 'bearer', description: title }
    : { type: 'apiKey', in: 'header', name: place.header, description: title };
}
