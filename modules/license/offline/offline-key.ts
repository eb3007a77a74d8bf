import { createHash, verify } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { isPlainObject } from '@lyceum/core';
import { readPublicKey } from './public-key.ts';
import { readMoment } from './read-moment.ts';

/** How a key that needs no server begins. */
const head = 'key/';
const longestPayload = 1_500;
const signatureBytes = 64;
const mostHosts = 100;
const deepest = 3;
const base64url = /^[A-Za-z0-9_-]+={0,2}$/;

/** What a signed key says. */
export interface OfflineClaims {
  readonly product: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly expires: Date | null;
  /** 0: unlimited. */
  readonly seats: number;
  /** Hosts that it is for; empty: any. */
  readonly hosts: readonly string[];
}

/** A key whose signature is right. */
export interface OfflineKey {
  readonly claims: OfflineClaims;
  /** The payload as it was signed. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** SHA-256 of the key, the same however its signature is written down. */
  readonly hash: Buffer;
}

/** Whether the key is one that needs no server. */
export const isOffline = (key: string): boolean => key.startsWith(head);

/**
 * The key when one of the public keys verifies it, else null. Nothing of the payload is looked at before that.
 */
export function readOfflineKey(key: string, publicKeys: readonly string[]): OfflineKey | null {
  const [signed = '', signature = '', ...more] = key.split('.');
  const encoded = signed.slice(head.length);
  if (!isOffline(key) || more.length > 0 || !base64url.test(encoded) || !base64url.test(signature))
    return null;
  const bytes = Buffer.from(signature, 'base64url');
  const payload = Buffer.from(encoded, 'base64url');
  if (bytes.length !== signatureBytes || payload.length > longestPayload) return null;
  const isRight = publicKeys.some((text) => {
    const publicKey = readPublicKey(text);
    // The algorithm is that of the key, never one that the key to be verified names.
    return publicKey !== null && verify(null, Buffer.from(signed), publicKey, bytes);
  });
  if (!isRight) return null;
  const read = readPayload(payload.toString('utf8'));
  if (!read) return null;
  // Padding and the unused bits of the last character do not make another key: seats are counted by this.
  const hash = createHash('sha256')
    .update(`${signed}.${bytes.toString('base64url')}`)
    .digest();
  return { ...read, hash };
}

function readPayload(text: string): Pick<OfflineKey, 'claims' | 'payload'> | null {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isPlainObject(payload) || !isHarmless(payload, deepest) || payload.v !== 1) return null;
  const { id, product, name, email, expires, seats, hosts } = payload;
  if (typeof id !== 'string' || typeof product !== 'string') return null;
  if (!Number.isSafeInteger(seats) || (seats as number) < 0 || (seats as number) > 2_147_483_647) return null;
  const ends = expires === null || expires === undefined ? null : readMoment(expires);
  if (ends === undefined || !areHosts(hosts)) return null;
  const claims: OfflineClaims = {
    product,
    name: typeof name === 'string' ? name : null,
    email: typeof email === 'string' ? email : null,
    expires: ends,
    seats: seats as number,
    hosts: hosts ?? [],
  };
  return { claims, payload };
}

const areHosts = (value: unknown): value is readonly string[] | null | undefined =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length <= mostHosts && value.every((host) => typeof host === 'string'));

/** No key that means something to objects, nothing deep, and no text that the database cannot keep. */
function isHarmless(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(
    ([key, member]) => key !== '__proto__' && isHarmless(key, 0) && isHarmless(member, levels - 1),
  );
}

/** Whether a key for these hosts holds on this one. */
export function isForHost(hosts: readonly string[], host: string): boolean {
  if (hosts.length === 0) return true;
  return hosts.some((entry) => {
    // "*.x.org" is every host below x.org, not x.org itself.
    const below = entry.startsWith('*.');
    const wanted = domainToASCII((below ? entry.slice(2) : entry).replace(/\.$/, ''));
    return (
      wanted !== '' &&
      (below ? host.endsWith(`.${wanted}`) && host.length > wanted.length + 1 : host === wanted)
    );
  });
}
