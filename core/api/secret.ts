import type { Call } from './call.ts';

/** Where a secret stands in a request: `Authorization: Bearer …`, or a header of its own, in lower case. */
export type SecretPlace = 'bearer' | { readonly header: string };

/** Whose secret it is. */
export interface SecretHolder<T> {
  /** The user as whom it acts, with what he may do here and now; null for a machine that acts as nobody. */
  readonly userId: number | null;
  /** What the module wants to know of it again: `provedBy` gives it to the handler. */
  readonly proof: T;
}

/**
 * A credential of the module's own: a token or key that it gives out and knows again. Operations whose `access`
 * names it take nothing else; cookies and passwords beside it count for nothing.
 */
export interface SecretDeclaration<T = unknown> {
  /** `<module>.<name>`; also its name in the API description. */
  readonly id: string;
  /** One line for the API description. */
  readonly title: string;
  readonly in: SecretPlace;
  /** Codes of the module or the host. `rest_forbidden` is 401 for the first two, 403 for the third. */
  readonly refusals: {
    /** It is not there. */
    readonly missing: string;
    /** Nobody has it: `recognise` gave null, or its user is gone. */
    readonly wrong: string;
    /** Its holder lacks the capability of the operation. */
    readonly denied: string;
  };
  /** Codes that `recognise` throws. */
  readonly errors?: readonly string[];
  /**
   * Looks the secret up, by its hash or compared in constant time, before the body is read. `call` is nobody's, on
   * the site of the address. To find out costs the same for wrong ones as for right ones.
   */
  recognise(
    secret: string,
    call: Call,
    path: Readonly<Record<string, string>>,
  ): Promise<SecretHolder<T> | null>;
}

/** What proved a call; for `provedBy`. */
export interface Proof {
  readonly secret: SecretDeclaration;
  readonly found: unknown;
}

/** Declares a credential of the module's own. Checked with the operations that name it. */
export const defineSecret = <T>(secret: SecretDeclaration<T>): SecretDeclaration<T> => secret;

/** What `recognise` found out of the secret that proved this call. */
export function provedBy<T>(call: Call, secret: SecretDeclaration<T>): T {
  const { proof } = call.credential;
  if (proof?.secret !== secret) throw new Error(`The call was not proved by ${secret.id}.`);
  return proof.found as T;
}
